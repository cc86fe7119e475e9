/** Admits requests with a key: authenticates them, checks that the key may call the route, and applies rate limits. Wrong keys are counted by network. */

import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey, RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { Access } from "../routes/access.ts";
import { authenticate, demandEndpoint, keyOf } from "./bearer.ts";
import { type Allowance, createRateLimiter } from "./rate-limiter.ts";
import { createWrongKeys } from "./wrong-keys.ts";

export interface RequestGuard {
	/** @param tell is called with the state of the rate limit, also when it is exceeded. @throws ServiceError `KEY_INVALID`, `KEYS_WRONG`, `ENDPOINT_FORBIDDEN`, `RATE_LIMITED` */
	readonly admit: (request: Request, access: Pick<Access, "scope" | "rate">, tell: (allowance: Allowance) => void) => Promise<ApiKey>;
	/** Rejects when the key of a request is not valid any more. Does not count as a request. */
	readonly stillHolds: (request: Request) => Promise<ApiKey>;
}

/** The client's IP address; null without a socket. */
export type AddressOf = (request: Request) => string | null;

/** @param standardRate of keys without a limit of their own; null for no limit */
export function createRequestGuard(accounts: AccountStore, standardRate: RateLimit | null, world: World, addressOf: AddressOf): RequestGuard {
	const limiter = createRateLimiter(world.elapsedMs);
	const answerWrongKey = createWrongKeys(world);
	const stillHolds = (request: Request) => authenticate(request, accounts, world.now());

	/** A request without a key does not count as a wrong key. */
	function refusal(request: Request, thrown: unknown): unknown {
		const isWrongKey = thrown instanceof ServiceError && thrown.code === "KEY_INVALID" && keyOf(request.headers) !== null;
		return isWrongKey ? answerWrongKey(addressOf(request)) : thrown;
	}

	return {
		stillHolds,
		admit: async (request, { scope, rate }, tell) => {
			const key = await stillHolds(request).catch((thrown: unknown) => {
				throw refusal(request, thrown);
			});
			if (scope !== "any") demandEndpoint(key, new URL(request.url).pathname);
			const limit = rate === "key" ? (key.rateLimit ?? standardRate) : null;
			if (limit === null) return key;
			const allowance = limiter(key.id, limit);
			tell(allowance);
			if (!allowance.isAllowed) throw fail("RATE_LIMITED", limit.requestsMax, limit.windowMs / 1_000).after(allowance.waitMs);
			return key;
		},
	};
}
