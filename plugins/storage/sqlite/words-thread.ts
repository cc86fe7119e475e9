/** Starts the thread that looks words up, asks it, and ends it. */

import { Worker } from "node:worker_threads";
import { type ChunkHit, fail, type Hit, type Log, type MemoryId, type MemoryReach, type OrganisationId, type Scope, type Sought, type WordIndex } from "cairn";
import { type PostedFailure, receiveFailure } from "./writer-protocol.ts";

export interface WordsReaderData {
	/** The database. */
	readonly file: string;
	/** The storage's. */
	readonly folder: string;
	/** Whether it removes word files that cannot be trusted: one thread per program. */
	readonly canRemove: boolean;
}

/** Something for the log. */
export interface WordsNotice {
	readonly notice: string;
	readonly facts: Readonly<Record<string, unknown>>;
}

interface Asked {
	readonly words: readonly Sought[];
	readonly limit: number;
	/** Without an end where an answer is worth any waiting. */
	readonly waitMs: number;
}

export interface Lookup {
	readonly id: number;
	readonly organisation: string;
	readonly asked: (Asked & { readonly kind: "chunk"; readonly scope: Scope }) | (Asked & { readonly kind: "memory"; readonly reach: MemoryReach });
}

export type LookupAnswer =
	| { readonly id: number; readonly ok: true; readonly found: unknown }
	| { readonly id: number; readonly ok: false; readonly failure: PostedFailure };

export interface WordsThread {
	readonly index: (organisation: OrganisationId) => WordIndex;
	readonly close: () => Promise<void>;
}

interface Waiting {
	readonly resolve: (found: unknown) => void;
	readonly reject: (reason: Error) => void;
}

/** The thread begins with the first question: a program that only writes does without. One that ends by itself is replaced by the next question. */
export function wordsThread(data: WordsReaderData, log: Log): WordsThread {
	const waiting = new Map<number, Waiting>();
	let reader: Worker | null = null;
	let lastId = 0;
	let isClosed = false;

	function start(): Worker {
		const started = new Worker(new URL("./words-reader.ts", import.meta.url), { workerData: data });
		started.on("message", (answer: LookupAnswer | WordsNotice) => {
			if ("notice" in answer) return log("warn", answer.notice, answer.facts);
			const asker = waiting.get(answer.id);
			waiting.delete(answer.id);
			if (answer.ok) asker?.resolve(answer.found);
			else asker?.reject(receiveFailure(answer.failure));
		});
		started.on("error", (thrown) => giveUp(`looking words up failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
		started.on("exit", () => giveUp("the thread that looks words up has ended"));
		return started;
	}

	function giveUp(why: string): void {
		reader = null;
		for (const { reject } of waiting.values()) reject(fail("STORAGE_UNREACHABLE", why));
		waiting.clear();
	}

	function ask(organisation: OrganisationId, asked: Lookup["asked"]): Promise<unknown> {
		if (isClosed) return Promise.reject(fail("STORAGE_UNREACHABLE", "it is closed"));
		if (asked.words.length === 0 || asked.limit <= 0) return Promise.resolve([]);
		const lookup: Lookup = { id: ++lastId, organisation, asked };
		reader ??= start();
		reader.postMessage(lookup);
		return new Promise((resolve, reject) => waiting.set(lookup.id, { resolve, reject }));
	}

	function index(organisation: OrganisationId): WordIndex {
		// What comes back is what `wordIndex` has answered over there.
		const matchChunksWithin: WordIndex["matchChunksWithin"] = async (waitMs, words, scope, limit) =>
			(await ask(organisation, { kind: "chunk", words, scope, limit, waitMs })) as readonly ChunkHit[] | null;
		const matchMemoriesWithin: WordIndex["matchMemoriesWithin"] = async (waitMs, words, reach, limit) =>
			(await ask(organisation, { kind: "memory", words, reach, limit, waitMs })) as readonly Hit<MemoryId>[] | null;
		return {
			matchChunks: async (...asked) => (await matchChunksWithin(Number.POSITIVE_INFINITY, ...asked)) ?? [],
			matchMemories: async (...asked) => (await matchMemoriesWithin(Number.POSITIVE_INFINITY, ...asked)) ?? [],
			matchChunksWithin,
			matchMemoriesWithin,
		};
	}

	return {
		index,
		async close() {
			isClosed = true;
			const open = reader;
			if (open === null) return;
			const ended = new Promise<void>((resolve) => open.once("exit", () => resolve()));
			open.postMessage("close");
			await ended;
		},
	};
}
