/**
 * Which key asks too often: each has a bucket of tokens, of which a request takes one and which time fills again. So a key may
 * use its whole share at once, and then as often as the bucket fills. Kept in memory: each process counts for itself.
 */

import type { RateLimit } from "../../core/ports/account-store.ts";

export interface Allowance {
	readonly isAllowed: boolean;
	readonly limit: RateLimit;
	/** How many more would be answered at once. */
	readonly remaining: number;
	/** Until one more is answered; 0 when it would be at once. */
	readonly waitMs: number;
	/** Until the bucket is full again. */
	readonly fullMs: number;
}

/** Takes one request off a key's share. */
export type RateLimiter = (key: string, limit: RateLimit) => Allowance;

interface Bucket {
	readonly tokens: number;
	readonly at: number;
}

/** So many used ones make a generation, and the one before the last is dropped: its buckets are the fullest, and a full bucket is as good as none. */
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
