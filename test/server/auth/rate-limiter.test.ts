/** Rate limits by a clock that moves only when told: a share at once, then as often as it fills, and keys apart. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createRateLimiter } from "../../../server/auth/rate-limiter.ts";
import { rateHeaders } from "../../../server/wire/responses/rate-headers.ts";

const limit = { requestsMax: 4, windowMs: 2_000 };

function limiter() {
	let now = 0;
	const take = createRateLimiter(() => now);
	const advance = (ms: number) => {
		now += ms;
	};
	return { take, advance };
}

describe("a bucket", () => {
	test("gives its share at once, then one each time it has filled by one", () => {
		const { take, advance } = limiter();
		expect([1, 2, 3, 4, 5].map(() => take("a", limit).isAllowed)).toEqual([true, true, true, true, false]);
		expect(take("a", limit)).toMatchObject({ remaining: 0, waitMs: 500, fullMs: 2_000 });
		advance(499);
		expect(take("a", limit).isAllowed).toBe(false);
		advance(1);
		expect(take("a", limit)).toMatchObject({ isAllowed: true, remaining: 0, waitMs: 500 });
		expect(take("a", limit).isAllowed).toBe(false);
	});

	test("is each key's own, and never fuller than full", () => {
		const { take, advance } = limiter();
		for (let i = 0; i < 5; i++) take("a", limit);
		expect(take("b", limit)).toMatchObject({ isAllowed: true, remaining: 3 });
		advance(1_000_000);
		expect(take("a", limit)).toMatchObject({ isAllowed: true, remaining: 3 });
	});

	test("who waits as long as told is let in, whatever happened before; and no more than share and refill ever are", () => {
		const steps = fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 60 });
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5_000 }), steps, (requestsMax, windowMs, waits) => {
				const { take, advance } = limiter();
				let [passed, allowed] = [0, 0];
				for (const wait of waits) {
					advance(wait);
					passed += wait;
					if (take("a", { requestsMax, windowMs }).isAllowed) allowed++;
				}
				expect(allowed).toBeLessThanOrEqual(requestsMax + (passed * requestsMax) / windowMs + 1e-6);
				let last = take("a", { requestsMax, windowMs });
				while (last.isAllowed) last = take("a", { requestsMax, windowMs });
				advance(Math.ceil(last.waitMs));
				expect(take("a", { requestsMax, windowMs }).isAllowed).toBe(true);
			}),
			{ seed: 7, numRuns: 100 },
		);
	});

	test("of a key that has not asked for long takes no memory when there are many", () => {
		const { take, advance } = limiter();
		for (let i = 0; i < 10_000; i++) take(`key ${i}`, limit);
		advance(5_000);
		expect(take("one more", limit)).toMatchObject({ isAllowed: true, remaining: 3 });
		expect(take("key 1", limit)).toMatchObject({ isAllowed: true, remaining: 3 });
	});
});

test("headers are whole seconds, rounded up, and tell to wait only who has to", () => {
	const { take, advance } = limiter();
	expect(rateHeaders(take("a", limit))).toEqual({
		"ratelimit-policy": '"key";q=4;w=2',
		ratelimit: '"key";r=3;t=1',
		"ratelimit-limit": "4",
		"ratelimit-remaining": "3",
		"ratelimit-reset": "1",
	});
	for (let i = 0; i < 4; i++) take("a", limit);
	advance(100);
	expect(rateHeaders(take("a", limit))).toMatchObject({ "retry-after": "1", "retry-after-ms": "400", ratelimit: '"key";r=0;t=2' });
});
