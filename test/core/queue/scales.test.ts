/** Big things wait for each other, small ones for nobody. */

import { expect, test } from "bun:test";
import { createScales } from "../../../core/queue/scales.ts";
import { settle } from "../../doubles/world.ts";

const never = new AbortController().signal;

test("no more than the weight is let in, in the order of asking", async () => {
	const scales = createScales(100);
	const order: string[] = [];
	const enter = async (name: string, weight: number) => {
		const leave = await scales.enter(weight, never);
		order.push(name);
		return leave;
	};
	const leaveFirst = await enter("first", 60);
	const second = enter("second", 60);
	const third = enter("third", 30);
	await settle();
	// The third would fit, but what is heavy must not be overtaken for ever.
	expect(order).toEqual(["first"]);
	leaveFirst();
	await settle();
	expect(order).toEqual(["first", "second", "third"]);
	(await second)();
	(await third)();
});

test("what is light passes beside what is heavy, and what is too heavy goes alone", async () => {
	const scales = createScales(100);
	const leave = await scales.enter(5_000, never);
	expect([scales.hasRoom(1), scales.hasRoom(50)]).toEqual([true, false]);
	await scales.enter(1, never);
	leave();
	leave();
	expect(scales.hasRoom(100)).toBe(true);
	const half = await scales.enter(50, never);
	expect(scales.hasRoom(51)).toBe(false);
	half();
});

test("who gives up waiting lets those behind in at once", async () => {
	const scales = createScales(100);
	const leave = await scales.enter(50, never);
	const ending = new AbortController();
	const given = scales.enter(100, ending.signal).catch((reason: unknown) => reason);
	const behind = scales.enter(40, never);
	ending.abort("enough");
	expect(await given).toBe("enough");
	(await behind)();
	leave();
	expect(scales.hasRoom(100)).toBe(true);
});

test("who gives up waiting holds up nobody", async () => {
	const scales = createScales(100);
	const leave = await scales.enter(100, never);
	const ending = new AbortController();
	const given = scales.enter(100, ending.signal).catch((reason: unknown) => reason);
	const next = scales.enter(40, never);
	ending.abort("enough");
	expect(await given).toBe("enough");
	leave();
	(await next)();
	expect(scales.hasRoom(100)).toBe(true);
});
