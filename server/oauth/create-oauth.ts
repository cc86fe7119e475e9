/** OAuth sign-in for MCP clients, based on the existing API keys: see docs/mcp.md. */

import type { RateLimit } from "../../core/ports/account-store.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";
import { createRateLimiter } from "../auth/rate-limiter.ts";
import type { AddressOf, KeyOfToken } from "../auth/request-guard.ts";
import { networkOf } from "../auth/wrong-keys.ts";
import type { Operation } from "../routes/operation.ts";
import { oauthRoutes } from "../routes/pages/oauth.ts";
import { registerClient } from "./clients.ts";
import { type ConsentStepsParts, createConsentSteps } from "./consent-steps.ts";
import { createConsents } from "./consents.ts";
import { createValueSigner } from "./value-signer.ts";

export interface OAuthParts extends Pick<ConsentStepsParts, "issuer" | "signIn"> {
	readonly secret: Uint8Array;
	readonly storage: Storage;
	readonly world: World;
	readonly addressOf: AddressOf;
}

export interface OAuth {
	readonly issuer: string;
	/** The API key of an access token, limited to the rights that were allowed. */
	readonly keyOf: KeyOfToken;
	readonly routes: readonly Operation[];
}

/** The limit for one client network. Connecting a client takes four requests. */
const rateLimit: RateLimit = { requestsMax: 60, windowMs: 60_000 };

export function createOAuth({ issuer, secret, storage, world, signIn, addressOf }: OAuthParts): OAuth {
	const signer = createValueSigner(secret);
	const consents = createConsents({ storage, world });
	const limiter = createRateLimiter(world.elapsedMs);
	const routes = oauthRoutes({
		issuer,
		consents,
		steps: createConsentSteps({ issuer, signer, consents, world, signIn }),
		register: (metadata) => registerClient(signer, metadata, world.now()),
		isAllowed: (request) => {
			const address = addressOf(request);
			// Requests in the same process have no socket, and therefore no known network.
			return address === null || limiter(networkOf(address), rateLimit).isAllowed;
		},
	});
	return { issuer, keyOf: consents.keyOf, routes };
}
