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
	tokens: number;
	at: number;
	fullMs: number;
}

/** A full bucket is as good as none: when there are many, the full ones are dropped. */
const bucketsMax = 10_000;

export function createRateLimiter(elapsedMs: () => number): RateLimiter {
	const buckets = new Map<string, Bucket>();
	return (key, limit) => {
		const now = elapsedMs();
		const perMs = limit.requestsMax / limit.windowMs;
		const known = buckets.get(key) ?? { tokens: limit.requestsMax, at: now };
		const filled = Math.min(limit.requestsMax, known.tokens + (now - known.at) * perMs);
		const isAllowed = filled >= 1;
		const tokens = isAllowed ? filled - 1 : filled;
		const fullMs = (limit.requestsMax - tokens) / perMs;
		if (!buckets.has(key) && buckets.size >= bucketsMax) dropFull(buckets, now);
		buckets.set(key, { tokens, at: now, fullMs });
		return { isAllowed, limit, remaining: Math.floor(tokens), waitMs: tokens >= 1 ? 0 : (1 - tokens) / perMs, fullMs };
	};
}

function dropFull(buckets: Map<string, Bucket>, now: number): void {
	for (const [key, { at, fullMs }] of buckets) if (at + fullMs <= now) buckets.delete(key);
}
