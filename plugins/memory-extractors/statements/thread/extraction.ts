/**
 * Extracts memories on this thread. Short documents that come meanwhile are read by a second one, so that a queue of notes takes two cores.
 * What the second thread cannot do is done here. The rules are loaded with the first text, since a server that has none to read starts
 * sooner and holds less without them.
 */

import { Worker } from "node:worker_threads";
import type { MemoryDraft, MemoryInput } from "cairn-memory";
import { requireFileHandles } from "../../../threads/file-handles.ts";
import type { Options } from "../options.ts";

export type Request = { readonly id: number; readonly input: MemoryInput } | { readonly stop: number } | "close";
export interface Answer {
	readonly id: number;
	/** Null if it failed. */
	readonly drafts: readonly MemoryDraft[] | null;
}

export interface Extraction {
	readonly extract: (input: MemoryInput, signal: AbortSignal) => Promise<readonly MemoryDraft[]>;
	readonly close: () => Promise<void>;
}

/** Longer documents are read on this thread, since what is sent to another is copied. */
const charactersMax = 50_000;
/** The thread holds 40 MB, so it ends after this time without a document. */
const idleMs = 10_000;

export function createExtraction(chosenOptions: Options, open = openThread): Extraction {
	let second: SecondThread | null = null;
	let readHere = 0;
	let turn: Promise<unknown> = Promise.resolve();

	/** One after another, since what the rules hold of a long document is many times its text. */
	function extractHere(input: MemoryInput, signal: AbortSignal): Promise<readonly MemoryDraft[]> {
		readHere++;
		const drafts = turn
			.then(async () => (await import("../extract-memories.ts")).extractMemories(input, chosenOptions, signal))
			.finally(() => {
				readHere--;
			});
		turn = drafts.catch(() => undefined);
		return drafts;
	}

	function openSecond(): SecondThread | null {
		try {
			second ??= useThread(open(chosenOptions), (ended) => {
				if (second === ended) second = null;
			});
		} catch {
			// No file handles are left, or no memory.
		}
		return second;
	}

	return {
		extract: async (input, signal) => {
			const thread = (readHere > 0 || second !== null) && isShort(input) ? openSecond() : null;
			if (thread === null) return extractHere(input, signal);
			const drafts = await thread.ask(input, signal);
			signal.throwIfAborted();
			return drafts ?? extractHere(input, signal);
		},
		close: async () => second?.close(),
	};
}

function isShort({ chunks }: MemoryInput): boolean {
	let characters = 0;
	for (const { text } of chunks) characters += text.length;
	return characters <= charactersMax;
}

interface SecondThread {
	/** @returns null if the thread has ended, or failed. */
	readonly ask: (input: MemoryInput, signal: AbortSignal) => Promise<Answer["drafts"]>;
	/** Ends the thread after its pending documents. */
	readonly close: () => Promise<void>;
}

/** The part of `Worker` that is used. */
export type Thread = Pick<Worker, "on" | "postMessage" | "terminate">;

export function openThread(chosenOptions: Options): Thread {
	requireFileHandles();
	return new Worker(new URL("./extract-on-thread.ts", import.meta.url), { workerData: chosenOptions });
}

/** @param onEnd called when it takes no more documents. */
function useThread(worker: Thread, onEnd: (thread: SecondThread) => void): SecondThread {
	const send = (request: Request) => worker.postMessage(request);
	const pending = new Map<number, (drafts: Answer["drafts"]) => void>();
	const ended = Promise.withResolvers<void>();
	let lastId = 0;
	let idleTimer: ReturnType<typeof setTimeout> | undefined;

	const thread: SecondThread = {
		async ask(input, signal) {
			clearTimeout(idleTimer);
			const id = ++lastId;
			const { promise, resolve } = Promise.withResolvers<Answer["drafts"]>();
			const stop = () => send({ stop: id });
			signal.addEventListener("abort", stop);
			pending.set(id, resolve);
			send({ id, input });
			const drafts = await promise;
			signal.removeEventListener("abort", stop);
			return drafts;
		},
		async close() {
			clearTimeout(idleTimer);
			onEnd(thread);
			send("close");
			await ended.promise;
		},
	};

	worker.on("message", ({ id, drafts }: Answer) => {
		pending.get(id)?.(drafts);
		pending.delete(id);
		if (pending.size > 0) return;
		idleTimer = setTimeout(() => void thread.close(), idleMs);
		idleTimer.unref();
	});
	// An answer could not be read, and it is unknown to which document.
	worker.on("messageerror", () => void worker.terminate());
	worker.on("error", () => void worker.terminate());
	worker.on("exit", () => {
		onEnd(thread);
		for (const resolve of pending.values()) resolve(null);
		pending.clear();
		ended.resolve();
	});
	return thread;
}
