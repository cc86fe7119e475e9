/** Long computations pause after a slice, and not before. */

import { expect, test } from "bun:test";
import { createPauses } from "../../../core/runtime/pauses.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

test("a pause is due when a slice is used up, lasts until the world lets it go on, and begins the next slice", async () => {
	const world = createTestWorld();
	const { signal } = new AbortController();
	const pauseIfDue = createPauses(world);
	world.advance(5);
	expect(pauseIfDue(signal)).toBeNull();
	world.advance(10);
	const pause = pauseIfDue(signal);
	let isOver = false;
	pause?.then(() => {
		isOver = true;
	});
	await settle();
	expect([pause === null, isOver]).toEqual([false, false]);
	world.advance(1);
	await settle();
	expect(isOver).toBe(true);
	expect(pauseIfDue(signal)).toBeNull();
});
