/** Big things wait for each other, small ones for nobody. */

import { expect, test } from "bun:test";
import { createWeightedSemaphore } from "../../../core/jobs/extraction-admission.ts";
import { settle } from "../../doubles/world.ts";

const never = new AbortController().signal;

test("no more than the weight is let in, in the order of asking", async () => {
	const semaphore = createWeightedSemaphore(100);
	const order: string[] = [];
	const acquire = async (name: string, weight: number) => {
		const leave = await semaphore.acquire(weight, never);
		order.push(name);
		return leave;
	};
	const leaveFirst = await acquire("first", 60);
	const second = acquire("second", 60);
	const third = acquire("third", 30);
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
	const semaphore = createWeightedSemaphore(100);
	const leave = await semaphore.acquire(5_000, never);
	expect([semaphore.hasRoom(1), semaphore.hasRoom(50)]).toEqual([true, false]);
	await semaphore.acquire(1, never);
	leave();
	leave();
	expect(semaphore.hasRoom(100)).toBe(true);
	const half = await semaphore.acquire(50, never);
	expect(semaphore.hasRoom(51)).toBe(false);
	half();
});

test("who gives up waiting lets those behind in at once", async () => {
	const semaphore = createWeightedSemaphore(100);
	const leave = await semaphore.acquire(50, never);
	const ending = new AbortController();
	const given = semaphore.acquire(100, ending.signal).catch((reason: unknown) => reason);
	const behind = semaphore.acquire(40, never);
	ending.abort("enough");
	expect(await given).toBe("enough");
	(await behind)();
	leave();
	expect(semaphore.hasRoom(100)).toBe(true);
});

test("who gives up waiting holds up nobody", async () => {
	const semaphore = createWeightedSemaphore(100);
	const leave = await semaphore.acquire(100, never);
	const ending = new AbortController();
	const given = semaphore.acquire(100, ending.signal).catch((reason: unknown) => reason);
	const next = semaphore.acquire(40, never);
	ending.abort("enough");
	expect(await given).toBe("enough");
	leave();
	(await next)();
	expect(semaphore.hasRoom(100)).toBe(true);
});
