/**
 * Response headers about rate limits: `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, the three
 * headers of earlier drafts, which more clients read, and how long to wait.
 */

import type { Allowance } from "../../auth/rate-limiter.ts";

export function rateHeaders({ isAllowed, limit, remaining, waitMs, fullMs }: Allowance): Readonly<Record<string, string>> {
	const fullSeconds = seconds(fullMs);
	return {
		"ratelimit-policy": `"key";q=${limit.requestsMax};w=${seconds(limit.windowMs)}`,
		ratelimit: `"key";r=${remaining};t=${fullSeconds}`,
		"ratelimit-limit": String(limit.requestsMax),
		"ratelimit-remaining": String(remaining),
		"ratelimit-reset": String(fullSeconds),
		...(isAllowed ? {} : { "retry-after": String(seconds(waitMs)), "retry-after-ms": String(Math.ceil(waitMs)) }),
	};
}

/** Rounded up, so that no client retries too early. */
function seconds(ms: number): number {
	return Math.ceil(ms / 1_000);
}
