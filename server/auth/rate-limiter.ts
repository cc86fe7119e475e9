/**
 * Rate limits by token buckets: each key has a bucket, a request takes one token, and tokens are refilled over time. So a key may
 * use its whole limit at once. Buckets are in memory: each process counts for itself.
 */

import type { RateLimit } from "../../core/ports/account-store.ts";

export interface Allowance {
	readonly isAllowed: boolean;
	readonly limit: RateLimit;
	/** Requests that would be accepted now. */
	readonly remaining: number;
	/** Time until the next request is accepted; 0 for now. */
	readonly waitMs: number;
	/** Until the bucket is full again. */
	readonly fullMs: number;
}

/** Counts a request of a key. */
export type RateLimiter = (key: string, limit: RateLimit) => Allowance;

interface Bucket {
	readonly tokens: number;
	readonly at: number;
}

/** Buckets are kept in generations of this size; dropping the second last loses nothing, as its buckets are full again. */
const generationMax = 10_000;

export function createRateLimiter(elapsedMs: () => number): RateLimiter {
	let young = new Map<string, Bucket>();
	let old: ReadonlyMap<string, Bucket> = young;
	return (key, limit) => {
		const now = elapsedMs();
		const perMs = limit.requestsMax / limit.windowMs;
		const known = young.get(key) ?? old.get(key) ?? { tokens: limit.requestsMax, at: now };
		const filled = Math.min(limit.requestsMax, known.tokens + (now - known.at) * perMs);
		const isAllowed = filled >= 1;
		const tokens = isAllowed ? filled - 1 : filled;
		young.set(key, { tokens, at: now });
		if (young.size >= generationMax) [old, young] = [young, new Map()];
		return { isAllowed, limit, remaining: Math.floor(tokens), waitMs: tokens >= 1 ? 0 : (1 - tokens) / perMs, fullMs: (limit.requestsMax - tokens) / perMs };
	};
}
