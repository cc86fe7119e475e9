/**
 * Rate limits by token buckets: each key has a bucket, a request takes one token, and tokens are refilled over time. A key may use
 * its whole limit at once. Buckets are in memory, unless the storage has some that all servers share.
 */

import type { OrganisationId } from "../../core/model/id.ts";
import type { RateLimit } from "../../core/ports/account-store.ts";
import type { Storage, TakenToken } from "../../core/ports/storage.ts";
import type { World } from "../../core/ports/world.ts";

export interface Allowance {
	readonly isAllowed: boolean;
	readonly limit: RateLimit;
	/** The number of further requests that would be accepted now. */
	readonly remaining: number;
	/** Time until the next request is accepted; 0 for now. */
	readonly waitMs: number;
	/** Time until the bucket is full again. */
	readonly fullMs: number;
}

/** Counts a request of a key, and says whether it is allowed. */
export type RateLimiter = (key: string, limit: RateLimit) => Allowance;

interface Bucket {
	readonly tokens: number;
	/** When the tokens were counted, in milliseconds of `elapsedMs`. */
	readonly at: number;
}

/** Buckets are kept in two generations of this size. The older one is dropped when the newer is full: by then its buckets are full again. */
const generationSize = 10_000;

export function createRateLimiter(elapsedMs: () => number): RateLimiter {
	let current = new Map<string, Bucket>();
	let previous: ReadonlyMap<string, Bucket> = current;
	return (key, limit) => {
		const now = elapsedMs();
		const tokensPerMs = limit.requestsMax / limit.windowMs;
		const bucket = current.get(key) ?? previous.get(key) ?? { tokens: limit.requestsMax, at: now };
		const available = Math.min(limit.requestsMax, bucket.tokens + (now - bucket.at) * tokensPerMs);
		const isAllowed = available >= 1;
		const tokens = isAllowed ? available - 1 : available;
		current.set(key, { tokens, at: now });
		if (current.size >= generationSize) [previous, current] = [current, new Map()];
		return allowanceOf({ isAllowed, tokens }, limit);
	};
}

/** Counts the requests of API keys, and of organisations, in all servers that share the storage. */
export type KeyLimiter = (key: { readonly id: string; readonly organisation: OrganisationId }, limit: RateLimit) => Allowance | Promise<Allowance>;

export function createKeyLimiter({ takeToken }: Pick<Storage, "takeToken">, { elapsedMs }: Pick<World, "elapsedMs">): KeyLimiter {
	if (takeToken !== undefined) return async ({ id, organisation }, limit) => allowanceOf(await takeToken(organisation, id, limit), limit);
	const limiter = createRateLimiter(elapsedMs);
	return ({ id }, limit) => limiter(id, limit);
}

function allowanceOf({ isAllowed, tokens }: TakenToken, limit: RateLimit): Allowance {
	const tokensPerMs = limit.requestsMax / limit.windowMs;
	return {
		isAllowed,
		limit,
		remaining: Math.floor(tokens),
		waitMs: tokens >= 1 ? 0 : (1 - tokens) / tokensPerMs,
		fullMs: (limit.requestsMax - tokens) / tokensPerMs,
	};
}
