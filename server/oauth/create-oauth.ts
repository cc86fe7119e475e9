/** Sign-in for MCP clients, over the keys that there are: see docs/mcp.md. */

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
import { createSeal } from "./sealed.ts";

export interface OAuthParts extends Pick<ConsentStepsParts, "issuer" | "signIn"> {
	readonly secret: Uint8Array;
	readonly storage: Storage;
	readonly world: World;
	readonly addressOf: AddressOf;
}

export interface OAuth {
	readonly issuer: string;
	/** The key behind an access token, with no more rights than were allowed. */
	readonly keyOf: KeyOfToken;
	readonly routes: readonly Operation[];
}

/** A connection takes four. */
const rate: RateLimit = { requestsMax: 60, windowMs: 60_000 };

export function createOAuth({ issuer, secret, storage, world, signIn, addressOf }: OAuthParts): OAuth {
	const seal = createSeal(secret);
	const consents = createConsents({ storage, world });
	const limiter = createRateLimiter(world.elapsedMs);
	const routes = oauthRoutes({
		issuer,
		consents,
		steps: createConsentSteps({ issuer, seal, consents, world, signIn }),
		register: (metadata) => registerClient(seal, metadata, world.now()),
		isAllowed: (request) => {
			const address = addressOf(request);
			// Without a socket the network is unknown.
			return address === null || limiter(networkOf(address), rate).isAllowed;
		},
	});
	return { issuer, keyOf: consents.keyOf, routes };
}
