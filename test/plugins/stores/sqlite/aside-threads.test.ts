/** Long reads go to a thread that is not busy with another one. */

import { expect, test } from "bun:test";
import type { AsideThread } from "../../../../plugins/stores/sqlite/threads/aside-thread.ts";
import { asideThreads } from "../../../../plugins/stores/sqlite/threads/aside-threads.ts";

const asked = { sql: "SELECT 1", params: [] };

/** It answers with its name, once it is let. */
function slowThread(name: string) {
	let waiting: (() => void)[] = [];
	let isClosed = false;
	const thread: AsideThread = {
		read: async () => null,
		all: <Row>() => new Promise<readonly Row[]>((resolve) => waiting.push(() => resolve([name as Row]))),
		close: async () => {
			isClosed = true;
		},
	};
	const answer = () => {
		for (const resolve of waiting) resolve();
		waiting = [];
	};
	return { thread, answer, isClosed: () => isClosed };
}

test("a read is answered while one before it still runs, and one thread is enough for one after the other", async () => {
	const [first, second] = [slowThread("first"), slowThread("second")];
	const threads = asideThreads([first.thread, second.thread]);
	const count = threads.all(asked);
	const rows = threads.all(asked);
	second.answer();
	expect(await rows).toEqual(["second"]);
	first.answer();
	expect(await count).toEqual(["first"]);
	const next = threads.all(asked);
	first.answer();
	expect(await next).toEqual(["first"]);
});

test("a thread whose read failed is used again, and all are closed", async () => {
	const [first, second] = [slowThread("first"), slowThread("second")];
	const failing: AsideThread = { ...first.thread, read: async () => Promise.reject(new Error("gone")) };
	const threads = asideThreads([failing, second.thread]);
	const failure = await threads.read(asked).catch((error: unknown) => error);
	expect(failure).toMatchObject({ message: "gone" });
	const rows = threads.all(asked);
	first.answer();
	expect(await rows).toEqual(["first"]);
	await threads.close();
	expect([first.isClosed(), second.isClosed()]).toEqual([true, true]);
});
