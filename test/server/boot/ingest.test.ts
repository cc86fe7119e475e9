/** The ingest thread is started anew when it dies, also when that fails at first, and not after the server was told to stop. */

import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { startIngest, type Thread } from "../../../server/boot/ingest.ts";
import type { IngestThreadData } from "../../../server/boot/ingest-thread.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";
import { until } from "../../doubles/until.ts";

class FakeThread extends EventEmitter {
	readonly said: unknown[] = [];
	postMessage(message: unknown): void {
		this.said.push(message);
		if (message === "stop") this.emit("message", "stopped");
	}
	async terminate(): Promise<number> {
		this.emit("exit");
		return 0;
	}
}

/** @param comesUp whether the thread of this number does; the first has number 0. */
function ground(comesUp: (number: number) => boolean, recover: () => Promise<void> = async () => undefined) {
	const threads: FakeThread[] = [];
	const opened: IngestThreadData[] = [];
	const logged: string[] = [];
	const world = { ...createWorld({ log: (_level, message) => void logged.push(message) }), sleep: () => Bun.sleep(1) };
	const storage = { jobs: { recover: () => recover().then(() => ({ leases: 0, jobs: 0 })) } } as never;
	const open = (data: IngestThreadData) => {
		opened.push(data);
		const thread = new FakeThread();
		const number = threads.push(thread) - 1;
		queueMicrotask(() => thread.emit(comesUp(number) ? "message" : "exit", "ready"));
		return thread as unknown as Thread;
	};
	return { threads, opened, logged, start: () => startIngest(readSettings({ env: {}, flags: [] }), storage, null, world, open) };
}

test("another takes the place of one that dies, and is the one that is woken", async () => {
	const { threads, start } = ground(() => true);
	const ingest = await start();
	threads[0]?.emit("exit");
	await until(() => threads.length === 2);
	await until(() => {
		ingest.wake();
		return threads[1]?.said.includes("wake") === true;
	});
	await ingest.stop();
});

test("each thread learns of the searches that are under way", async () => {
	const { threads, opened, start } = ground(() => true);
	const ingest = await start();
	threads[0]?.emit("exit");
	await until(() => threads.length === 2);
	const counts = () => opened.map(({ searches }) => Atomics.load(searches, 0));
	expect(await ingest.search(async () => counts())).toEqual([1, 1]);
	expect(counts()).toEqual([0, 0]);
	await ingest.stop();
});

test("what keeps another from starting is tried again", async () => {
	let recoveries = 0;
	const full = async () => {
		if (++recoveries === 1) throw new Error("the disk is full");
	};
	const { threads, logged, start } = ground((number) => number !== 1, full);
	const ingest = await start();
	threads[0]?.emit("exit");
	await until(() => threads.length === 3);
	expect(recoveries).toBe(3);
	expect(logged.filter((message) => message === "another ingest thread could not be started")).toHaveLength(2);
	await until(() => {
		ingest.wake();
		return threads[2]?.said.includes("wake") === true;
	});
	await ingest.stop();
});

test("none is started after the stop, and a first one that does not come up is told", async () => {
	const { threads, start } = ground(() => true);
	await (await start()).stop();
	await Bun.sleep(5);
	expect(threads).toHaveLength(1);
	expect(threads[0]?.said).toEqual(["stop"]);
	await expect(ground(() => false).start()).rejects.toThrow("before it was ready");
});

test("a report that comes too late is in the next answer, and none is lost", async () => {
	const { threads, start } = ground(() => true);
	const ingest = await start();
	const report = (seconds: number) => ({
		report: { measurements: [{ kind: "job", name: "ingest", seconds, isFailed: false }], lagSeconds: seconds, sandboxProcesses: 0 },
	});
	expect(await ingest.report()).toBeNull();
	threads[0]?.emit("message", report(1));
	threads[0]?.emit("message", report(2));
	const answer = await ingest.report();
	expect([answer?.measurements.length, answer?.lagSeconds]).toEqual([2, 2]);
	expect(await ingest.report()).toBeNull();
	await ingest.stop();
	expect(await ingest.report()).toBeNull();
});
