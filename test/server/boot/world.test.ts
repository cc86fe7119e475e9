/** Time that runs forwards, sleep that can be ended, and bytes of chance. */

import { expect, test } from "bun:test";
import { createWorld } from "../../../server/boot/world.ts";

const world = createWorld({ log: () => {} });
const never = new AbortController().signal;

test("sleeps no shorter than it is told to", async () => {
	const started = world.elapsedMs();
	await world.sleep(30, never);
	expect(world.elapsedMs() - started).toBeGreaterThanOrEqual(29);
});

test("an abort ends sleep at once, without an error, and leaves no listener behind", async () => {
	const ending = new AbortController();
	setTimeout(() => ending.abort(new Error("enough")), 20);
	await world.sleep(60_000, ending.signal);
	await world.sleep(60_000, ending.signal);
});

test("a sleep of months does not end at once", async () => {
	const ending = new AbortController();
	let isAwake = false;
	const sleeping = world.sleep(90 * 86_400_000, ending.signal).then(() => {
		isAwake = true;
	});
	await Bun.sleep(30);
	expect(isAwake).toBe(false);
	ending.abort();
	await sleeping;
});

test("no time and less than none pass at once", async () => {
	const later = world.sleep(60_000, never).then(() => "later");
	const now = world.sleep(0, never).then(() => world.sleep(-5, never));
	expect(await Promise.race([now.then(() => "now"), later])).toBe("now");
});

test("bytes of chance differ, and chance lies from 0 up to 1", () => {
	expect(world.randomBytes(16)).toHaveLength(16);
	expect(world.randomBytes(16)).not.toEqual(world.randomBytes(16));
	for (let round = 0; round < 100; round += 1) expect(Math.floor(world.random())).toBe(0);
	expect(Math.abs(world.now().getTime() - Date.now())).toBeLessThan(1_000);
});
