/** As many at once as end within a second. */

import { expect, test } from "bun:test";
import { createPace } from "../../../core/jobs/pace.ts";
import { createTestWorld } from "../../doubles/world.ts";

test("never fewer than the least, nor more than the most", () => {
	const world = createTestWorld();
	const pace = createPace(100, world);
	expect(pace.atOnce()).toBe(16);
	for (let i = 0; i < 60; i++) pace.ended();
	expect(pace.atOnce()).toBe(60);
	for (let i = 0; i < 600; i++) pace.ended();
	expect(pace.atOnce()).toBe(100);
	expect(createPace(4, world).atOnce()).toBe(4);
});

test("what ended longer ago does not count", () => {
	const world = createTestWorld();
	const pace = createPace(100, world);
	for (let i = 0; i < 40; i++) pace.ended();
	world.advance(600);
	for (let i = 0; i < 30; i++) pace.ended();
	expect(pace.atOnce()).toBe(70);
	world.advance(500);
	expect(pace.atOnce()).toBe(30);
	world.advance(600);
	expect(pace.atOnce()).toBe(16);
});
