/** Where every request with a key is let in: who asks, whether the key opens this route, and whether it asks too often. Wrong keys are counted for the network they come from. */

import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey, RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { Access } from "../routes/access.ts";
import { authenticate, demandEndpoint, keyOf } from "./bearer.ts";
import { type Allowance, createRateLimiter } from "./rate-limiter.ts";
import { createWrongKeys } from "./wrong-keys.ts";

export interface RequestGuard {
	/** @param tell hears how the share of the key stands, also when it is used up. @throws ServiceError `KEY_INVALID`, `KEYS_WRONG`, `ENDPOINT_FORBIDDEN`, `RATE_LIMITED` */
	readonly admit: (request: Request, access: Pick<Access, "scope" | "rate">, tell: (allowance: Allowance) => void) => Promise<ApiKey>;
	/** Rejects when the key of a request opens nothing any more. Counts nothing. */
	readonly stillHolds: (request: Request) => Promise<ApiKey>;
}

/** Where a request comes from; null without a socket. */
export type AddressOf = (request: Request) => string | null;

/** @param standardRate of keys without a limit of their own; null lets them ask as often as they like */
export function createRequestGuard(accounts: AccountStore, standardRate: RateLimit | null, world: World, addressOf: AddressOf): RequestGuard {
	const limiter = createRateLimiter(world.elapsedMs);
	const answerWrongKey = createWrongKeys(world);
	const stillHolds = (request: Request) => authenticate(request, accounts, world.now());

	/** A request without a key is no attempt to guess one. */
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
