/** As many at once as end within a second. */

import { expect, test } from "bun:test";
import { createPace } from "../../../core/jobs/pace.ts";
import { createTestWorld } from "../../doubles/world.ts";

test("never fewer than the least, nor more than the most", () => {
	const world = createTestWorld();
	const pace = createPace(100, world);
	expect(pace.concurrentMax()).toBe(16);
	for (let i = 0; i < 60; i++) pace.documentEnded();
	expect(pace.concurrentMax()).toBe(60);
	for (let i = 0; i < 600; i++) pace.documentEnded();
	expect(pace.concurrentMax()).toBe(100);
	expect(createPace(4, world).concurrentMax()).toBe(4);
});

test("what ended longer ago does not count", () => {
	const world = createTestWorld();
	const pace = createPace(100, world);
	for (let i = 0; i < 40; i++) pace.documentEnded();
	world.advance(600);
	for (let i = 0; i < 30; i++) pace.documentEnded();
	expect(pace.concurrentMax()).toBe(70);
	world.advance(500);
	expect(pace.concurrentMax()).toBe(30);
	world.advance(600);
	expect(pace.concurrentMax()).toBe(16);
});
