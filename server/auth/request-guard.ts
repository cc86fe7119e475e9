/** The guard that every request with a key goes through: who asks, and whether too often; wrong keys are counted for the network they come from. Asked twice about one request, it gives the same answer and counts once. */

import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { AccountStore, ApiKey, RateLimit } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import type { Authenticate } from "../app.ts";
import { authenticate, keyOf } from "./bearer.ts";
import { type Allowance, createRateLimiter } from "./rate-limiter.ts";
import { createWrongKeys } from "./wrong-keys.ts";

export interface RequestGuard {
	readonly authenticate: Authenticate;
	/** How the share of the key that sent the request stands; null where nothing is counted. */
	readonly allowanceOf: (request: Request) => Allowance | null;
	/** Lets a copy through as the request that it stands for. */
	readonly vouch: (copy: Request, request: Request) => void;
}

/** Where a request comes from; null without a socket. */
export type AddressOf = (request: Request) => string | null;

/** @param standardRate of keys without a limit of their own; null lets them ask as often as they like */
export function createRequestGuard(accounts: AccountStore, standardRate: RateLimit | null, world: World, addressOf: AddressOf): RequestGuard {
	const limiter = createRateLimiter(world.elapsedMs);
	const answerWrongKey = createWrongKeys(world);
	const admitted = new WeakMap<Request, Promise<ApiKey>>();
	const allowances = new WeakMap<Request, Allowance>();

	/** Whoever sends no key has tried none. */
	function refusal(request: Request, thrown: unknown): unknown {
		const isWrongKey = thrown instanceof ServiceError && thrown.code === "KEY_INVALID" && keyOf(request.headers) !== null;
		return isWrongKey ? answerWrongKey(addressOf(request)) : thrown;
	}

	async function admit(request: Request): Promise<ApiKey> {
		const key = await authenticate(request, accounts, world.now()).catch((thrown: unknown) => {
			throw refusal(request, thrown);
		});
		const limit = key.rateLimit ?? standardRate;
		if (limit === null) return key;
		const allowance = limiter(key.id, limit);
		allowances.set(request, allowance);
		if (!allowance.isAllowed) throw fail("RATE_LIMITED", limit.requestsMax, limit.windowMs / 1_000);
		return key;
	}

	return {
		authenticate: (request) => {
			const known = admitted.get(request) ?? admit(request);
			admitted.set(request, known);
			return known;
		},
		allowanceOf: (request) => allowances.get(request) ?? null,
		vouch: (copy, request) => {
			const known = admitted.get(request);
			if (known !== undefined) admitted.set(copy, known);
		},
	};
}
