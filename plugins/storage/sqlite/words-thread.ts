/** Starts the thread that looks words up, asks it, and ends it. */

import { Worker } from "node:worker_threads";
import {
	type ChunkHit,
	fail,
	type Hit,
	type Log,
	type Matched,
	type MemoryId,
	type MemoryReach,
	type OrganisationId,
	type Scope,
	type Sought,
	type WordIndex,
} from "cairn";
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
	/** See `WordRoom.askHurried`. */
	readonly isHurried: boolean;
}

export interface Lookup {
	readonly id: number;
	readonly organisation: string;
	readonly asked: (Asked & { readonly kind: "chunk"; readonly scope: Scope }) | (Asked & { readonly kind: "memory"; readonly reach: MemoryReach });
}

export type LookupAnswer =
	/** As JSON: a text is handed from thread to thread in half the time that its objects take, and hits are nothing but texts and numbers. */
	{ readonly id: number; readonly ok: true; readonly found: string } | { readonly id: number; readonly ok: false; readonly failure: PostedFailure };

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
	/** When it has begun, or ended instead. */
	let online: Promise<void> = Promise.resolve();
	let lastId = 0;
	let isClosed = false;

	function start(): Worker {
		const started = new Worker(new URL("./words-reader.ts", import.meta.url), { workerData: data });
		started.on("message", (answer: LookupAnswer | WordsNotice) => {
			if ("notice" in answer) return log("warn", answer.notice, answer.facts);
			const asker = waiting.get(answer.id);
			waiting.delete(answer.id);
			if (answer.ok) asker?.resolve(JSON.parse(answer.found));
			else asker?.reject(receiveFailure(answer.failure));
		});
		online = new Promise((resolve) => {
			started.once("online", resolve);
			started.once("exit", () => resolve());
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
		if (asked.words.length === 0 || asked.limit <= 0) return Promise.resolve(asked.isHurried ? { hits: [], isWhole: true } : []);
		const lookup: Lookup = { id: ++lastId, organisation, asked };
		reader ??= start();
		reader.postMessage(lookup);
		return new Promise((resolve, reject) => waiting.set(lookup.id, { resolve, reject }));
	}

	/** However busy the other thread is, with whomsoever; what it answers later is for nobody. To begin it takes its time. */
	async function within<Hit>(waitMs: number, answer: Promise<Matched<Hit>>): Promise<Matched<Hit>> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = online.then(
			() =>
				new Promise<Matched<Hit>>((resolve) => {
					timer = setTimeout(resolve, waitMs, { hits: [], isWhole: false });
				}),
		);
		try {
			return await Promise.race([answer, late]);
		} finally {
			clearTimeout(timer);
		}
	}

	function index(organisation: OrganisationId): WordIndex {
		// What comes back is what `wordIndex` has answered over there.
		return {
			matchChunks: async (words, scope, limit) => (await ask(organisation, { kind: "chunk", words, scope, limit, isHurried: false })) as readonly ChunkHit[],
			matchMemories: async (words, reach, limit) =>
				(await ask(organisation, { kind: "memory", words, reach, limit, isHurried: false })) as readonly Hit<MemoryId>[],
			matchChunksWithin: async (waitMs, words, scope, limit) =>
				within(waitMs, ask(organisation, { kind: "chunk", words, scope, limit, isHurried: true }) as Promise<Matched<ChunkHit>>),
			matchMemoriesWithin: async (waitMs, words, reach, limit) =>
				within(waitMs, ask(organisation, { kind: "memory", words, reach, limit, isHurried: true }) as Promise<Matched<Hit<MemoryId>>>),
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
