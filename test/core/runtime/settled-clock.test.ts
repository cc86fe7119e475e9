/** What is deleted for good is deleted by a clock that mistakes of an hour do not move. */

import { expect, test } from "bun:test";
import { createSettledClock } from "../../../core/runtime/settled-clock.ts";
import { createTestWorld } from "../../doubles/world.ts";

const [minuteMs, hourMs] = [60_000, 60 * 60_000];

test("it is never ahead by a jump that is younger than an hour, and follows one that stays", () => {
	for (let seed = 1; seed <= 20; seed++) {
		const world = createTestWorld();
		for (let i = 0; i < seed * 5; i++) world.random();
		const settled = createSettledClock(world);
		let [setAt, last, believed] = [Number.NEGATIVE_INFINITY, 0, 0];
		for (let minute = 0; minute < 600; minute++) {
			if (world.random() < 0.02) {
				const next = Math.round((world.random() * 2 - 1) * 48) * hourMs;
				if (next !== last) setAt = world.elapsedMs();
				last = next;
				world.setClock(last - (world.now().getTime() - world.steadyNow().getTime()));
			}
			if (world.elapsedMs() - setAt >= hourMs || last < believed) believed = last;
			expect([seed, minute, settled().getTime() - world.steadyNow().getTime()]).toEqual([seed, minute, believed]);
			world.advance(minuteMs);
		}
	}
});

test("time that passes is time that passes", () => {
	const world = createTestWorld();
	const settled = createSettledClock(world);
	for (let i = 0; i < 100; i++) {
		world.advance(7 * hourMs);
		expect(settled()).toEqual(world.now());
	}
});
