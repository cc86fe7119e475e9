/** The second thread that reads queued documents: the same memories, whatever happens to it. */

import { expect, spyOn, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { MemoryInput } from "cairn-memory";
import { extractMemories } from "../../../plugins/memory-extractors/statements/extract-memories.ts";
import type { Options } from "../../../plugins/memory-extractors/statements/options.ts";
import { type Answer, createExtraction, openThread, type Request, type Thread } from "../../../plugins/memory-extractors/statements/thread/extraction.ts";
import { chunkOf, documentId } from "../../contract/samples-text.ts";

const chosenOptions: Options = { narrator: "user", prosePerChunkMax: 6 };
const { signal } = new AbortController();

function inputOf(text: string): MemoryInput {
	const createdAt = new Date("2026-05-13T12:00:00Z");
	const document = { id: documentId, containerTags: ["t"], metadata: {}, createdAt, referenceDate: createdAt, title: null };
	return { document, chunks: [chunkOf(text)], entityContext: null };
}
const inputs = ["Oslo", "Bergen", "Ghent", "Lima"].map((town) => inputOf(`Ana: I moved to ${town} last Friday. My brother sails to Iceland every summer.`));
const wanted = await Promise.all(inputs.map((input) => extractMemories(input, chosenOptions, signal)));

/** A thread that only a test answers for. */
function fakeThread() {
	const events = new EventEmitter();
	const requests: Request[] = [];
	const thread = Object.assign(events, {
		postMessage: (request: Request) => {
			requests.push(request);
			if (request === "close") events.emit("exit", 0);
		},
		terminate: async () => Number(events.emit("exit", 1)),
	}) as unknown as Thread;
	return { thread, requests, emit: (name: string, value?: unknown) => events.emit(name, value) };
}

test("what comes while a document is read is read by another thread, and its memories are the same", async () => {
	const threads: Thread[] = [];
	const extraction = createExtraction(chosenOptions, (options) => {
		const thread = openThread(options);
		spyOn(thread, "postMessage");
		threads.push(thread);
		return thread;
	});
	expect(wanted.every(({ length }) => length === 2)).toBe(true);
	expect(await Promise.all(inputs.map((input) => extraction.extract(input, signal)))).toEqual(wanted);
	expect(threads.length).toBe(1);
	expect(threads[0]?.postMessage).toHaveBeenCalledTimes(inputs.length - 1);
	await extraction.close();
});

test("a document alone, and a long one, is read on this thread", async () => {
	const extraction = createExtraction(chosenOptions, () => {
		throw new Error("no thread is wanted");
	});
	const long = inputOf("Ana: I moved to Oslo. ".repeat(5_000));
	expect(await extraction.extract(inputs[0] as MemoryInput, signal)).toEqual(wanted[0] as []);
	const [first, second] = await Promise.all([extraction.extract(long, signal), extraction.extract(long, signal)]);
	expect(first).toEqual(second as []);
	await extraction.close();
});

test.each(["exit", "error", "messageerror"])("documents of a thread that ends (%s) are read here, and the next ones by another thread", async (end) => {
	const threads = [fakeThread(), fakeThread()];
	let opened = 0;
	const extraction = createExtraction(chosenOptions, () => (threads[opened++] as ReturnType<typeof fakeThread>).thread);
	const found = Promise.all(inputs.map((input) => extraction.extract(input, signal)));
	threads[0]?.emit(end, new Error("out of memory"));
	expect(await found).toEqual(wanted);
	const again = Promise.all(inputs.map((input) => extraction.extract(input, signal)));
	expect(opened).toBe(2);
	for (const request of threads[1]?.requests ?? [])
		if (typeof request === "object" && "id" in request) threads[1]?.emit("message", { id: request.id, drafts: null } satisfies Answer);
	expect(await again).toEqual(wanted);
	await extraction.close();
});

test("a thread that cannot be started does no harm", async () => {
	const extraction = createExtraction(chosenOptions, () => {
		throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
	});
	expect(await Promise.all(inputs.map((input) => extraction.extract(input, signal)))).toEqual(wanted);
	await extraction.close();
});

test("who stops waiting stops the thread too, and gets the reason", async () => {
	const { thread, requests, emit } = fakeThread();
	const extraction = createExtraction(chosenOptions, () => thread);
	const stopping = new AbortController();
	const here = extraction.extract(inputs[0] as MemoryInput, signal);
	const there = extraction.extract(inputs[1] as MemoryInput, stopping.signal).catch((thrown: unknown) => thrown);
	stopping.abort(new Error("the lease is lost"));
	expect(requests.at(-1)).toEqual({ stop: 1 });
	emit("message", { id: 1, drafts: null } satisfies Answer);
	expect(await there).toEqual(new Error("the lease is lost"));
	expect(await here).toEqual(wanted[0] as []);
	await extraction.close();
});
