/** A thread of the storage that ends by itself keeps nobody waiting: what was asked fails, and so does what is asked afterwards. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { fail } from "cairn-memory";
import { askedThread } from "../../../../plugins/stores/sqlite/threads/asked-thread.ts";
import { pendingRequests } from "../../../../plugins/stores/sqlite/threads/pending-requests.ts";
import { writerClient } from "../../../../plugins/stores/sqlite/writer/writer-client.ts";
import { startWriter } from "../../../../plugins/stores/sqlite/writer/writer-thread.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-threads-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const unreachable = { code: "STORAGE_UNREACHABLE" };

async function threadOf(program: string) {
	const path = join(folder, `${crypto.randomUUID()}.ts`);
	await writeFile(path, `import { parentPort } from "node:worker_threads";\n${program}`);
	const thread = askedThread({ script: pathToFileURL(path), data: null, name: "the tried one" });
	return { ...thread, put: (question: string) => thread.ask((id) => thread.post({ id, question })) };
}

test("a writer that cannot open its database refuses what it is asked, and is closed at once", async () => {
	const file = join(folder, "folder.sqlite");
	await mkdir(file);
	const writer = startWriter({ file });
	const client = writerClient(writer.connect());
	writer.ended.then((why) => client.breakOff(why));
	await expect(client.health.ping()).rejects.toMatchObject(unreachable);
	await expect(writer.migrate()).rejects.toMatchObject(unreachable);
	await expect(client.health.ping()).rejects.toMatchObject(unreachable);
	await client.drain();
	await writer.close();
	await writer.close();
});

test("a database that is none is told as damaged by the thread that opened it", async () => {
	const file = join(folder, "noise.sqlite");
	await writeFile(file, "noise ".repeat(5_000));
	const writer = startWriter({ file });
	await expect(writer.migrate()).rejects.toMatchObject({ code: "STORAGE_DAMAGED" });
	await writer.close();
});

const ends: readonly (readonly [string, string])[] = [
	["throws", "parentPort.on('message', () => { throw new Error('a fault'); });"],
	["rejects", "parentPort.on('message', () => { void Promise.reject(new Error('a fault')); });"],
	["exits", "parentPort.on('message', () => process.exit(0));"],
	["throws before it listens", "throw new Error('a fault');"],
	["ends while others ask", "parentPort.on('message', ({ id }) => { if (id === 2) process.exit(3); });"],
];

for (const [how, program] of ends) {
	test(`one that ${how} answers every open question with a failure`, async () => {
		const thread = await threadOf(program);
		const asked = await Promise.allSettled(["one", "two", "three"].map(thread.put));
		for (const each of asked) expect(each).toMatchObject({ status: "rejected", reason: unreachable });
		expect(await thread.ended).toMatchObject(unreachable);
		await thread.online;
		await expect(thread.put("late")).rejects.toMatchObject(unreachable);
	});
}

test("a writer's client in a thread that did not start it hears of its end by the line", async () => {
	const { port1, port2 } = new MessageChannel();
	const client = writerClient(port1);
	const asked = client.health.ping();
	port2.close();
	await expect(asked).rejects.toMatchObject(unreachable);
	await expect(client.health.ping()).rejects.toMatchObject(unreachable);
	await client.drain();
});

test("the first reason stays, and whoever waits for silence is told", async () => {
	const open = pendingRequests();
	const asked = open.ask(() => undefined);
	const silence = open.settled();
	open.end(fail("STORAGE_FULL"));
	open.end(fail("STORAGE_UNREACHABLE", "later"));
	await expect(asked).rejects.toMatchObject({ code: "STORAGE_FULL" });
	await silence;
	await expect(open.ask(() => undefined)).rejects.toMatchObject({ code: "STORAGE_FULL" });
});
