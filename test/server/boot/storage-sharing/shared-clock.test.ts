/** The clock of jobs follows that of the database, and the clock of the machine stays what it is. */

import { expect, test } from "bun:test";
import { followSharedClock, setSharedClock } from "../../../../server/boot/storage-sharing/shared-clock.ts";
import { createWorld } from "../../../../server/boot/world.ts";
import { until } from "../../../doubles/until.ts";

const hourMs = 60 * 60_000;
const quiet = () => createWorld({ log: () => undefined });

test("it is set by the database, half of the time that the question took ahead", async () => {
	const world = quiet();
	const database = Date.now() + hourMs;
	await setSharedClock({ now: async () => Bun.sleep(100).then(() => new Date(database)) }, world);
	const aheadMs = world.steadyNow().getTime() - database;
	expect(aheadMs).toBeGreaterThanOrEqual(49);
	expect(aheadMs).toBeLessThan(5_000);
	expect(Math.abs(world.now().getTime() - Date.now())).toBeLessThan(5_000);
});

test("an answer that was read late is not believed where a quicker one follows", async () => {
	const delaysMs = [4_000, 900, 1_000];
	let elapsedMs = 0;
	let aheadMs = Number.NaN;
	const now = async () => {
		const answered = new Date(elapsedMs);
		elapsedMs += delaysMs.shift() ?? 0;
		return answered;
	};
	const world = { elapsedMs: () => elapsedMs, setSteadyNow: (time: Date) => (aheadMs = time.getTime() - elapsedMs) };
	await setSharedClock({ now }, world);
	expect([aheadMs, delaysMs]).toEqual([-450, []]);
	delaysMs.push(20, 10);
	await setSharedClock({ now }, world);
	expect([aheadMs, delaysMs]).toEqual([-10, [10]]);
});

test("it is set again and again, and goes on while the database does not answer", async () => {
	const world = { ...quiet(), sleep: () => Bun.sleep(1) };
	const stopping = new AbortController();
	let asked = 0;
	const now = async () => {
		if (++asked % 2 === 1) throw new Error("the database is away");
		return new Date(Date.now() + hourMs);
	};
	const following = followSharedClock({ now }, world, stopping.signal);
	await until(() => asked > 4);
	stopping.abort();
	await following;
	expect(world.steadyNow().getTime() - Date.now()).toBeGreaterThan(hourMs / 2);
});

test("a storage without one leaves the clock as it is", async () => {
	const world = quiet();
	const before = world.steadyNow().getTime() - Date.now();
	await setSharedClock({}, world);
	await followSharedClock({}, world, new AbortController().signal);
	expect(Math.abs(world.steadyNow().getTime() - Date.now() - before)).toBeLessThan(1_000);
});
