/** Starts the thread that looks words up, asks it, and ends it. */

import { fail, type Log, type MemoryId, type OrganisationId } from "cairn-memory";
import type { ChunkHit, Hit, Matched, MemoryFilter, QueryTerm, Scope, WordSearch } from "cairn-memory/stores";
import { type AskedThread, askedThread } from "../threads/asked-thread.ts";

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
	readonly words: readonly QueryTerm[];
	readonly limit: number;
	/** See `WordPartition.askHurried`. */
	readonly isHurried: boolean;
}

export interface Lookup {
	readonly id: number;
	readonly organisation: string;
	readonly asked: (Asked & { readonly kind: "chunk"; readonly scope: Scope }) | (Asked & { readonly kind: "memory"; readonly memoryFilter: MemoryFilter });
}

/**
 * As JSON: a text is handed from thread to thread in half the time that its objects take, and hits are nothing but texts and
 * numbers. A lookup of chunks goes as JSON as well; one of memories holds dates.
 */
export type LookupResult = string;

export interface WordsThread {
	readonly index: (organisation: OrganisationId) => WordSearch;
	readonly close: () => Promise<void>;
}

/** The thread begins with the first question: a program that only writes does without. One that ends by itself is replaced by the next question. */
export function wordsThread(data: WordsReaderData, log: Log): WordsThread {
	let reader: AskedThread | null = null;
	let isClosed = false;

	function start(): AskedThread {
		const started = askedThread({
			script: new URL("./words-reader.ts", import.meta.url),
			data,
			name: "the thread that looks words up",
			// It says nothing else without being asked.
			onNotice: (notice) => log("warn", (notice as WordsNotice).notice, (notice as WordsNotice).facts),
		});
		started.ended.then(() => {
			if (reader === started) reader = null;
		});
		return started;
	}

	async function ask(organisation: OrganisationId, asked: Lookup["asked"]): Promise<unknown> {
		if (isClosed) throw fail("STORAGE_UNREACHABLE", "it is closed");
		if (asked.words.length === 0 || asked.limit <= 0) return asked.isHurried ? { hits: [], isWhole: true } : [];
		reader ??= start();
		const thread = reader;
		const post = (lookup: Lookup) => thread.post(asked.kind === "chunk" ? JSON.stringify(lookup) : lookup);
		return JSON.parse(await thread.ask<LookupResult>((id) => post({ id, organisation, asked })));
	}

	/** However busy the other thread is, with whomsoever; what it answers later is for nobody. To begin it takes its time. */
	async function within<Hit>(waitMs: number, answer: Promise<Matched<Hit>>): Promise<Matched<Hit>> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const begun = reader?.online ?? Promise.resolve();
		const late = begun.then(
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

	function index(organisation: OrganisationId): WordSearch {
		// What comes back is what `wordIndex` has answered over there.
		return {
			matchChunks: async (words, scope, limit) => (await ask(organisation, { kind: "chunk", words, scope, limit, isHurried: false })) as readonly ChunkHit[],
			matchMemories: async (words, memoryFilter, limit) =>
				(await ask(organisation, { kind: "memory", words, memoryFilter, limit, isHurried: false })) as readonly Hit<MemoryId>[],
			matchChunksWithin: async (waitMs, words, scope, limit) =>
				within(waitMs, ask(organisation, { kind: "chunk", words, scope, limit, isHurried: true }) as Promise<Matched<ChunkHit>>),
			matchMemoriesWithin: async (waitMs, words, memoryFilter, limit) =>
				within(waitMs, ask(organisation, { kind: "memory", words, memoryFilter, limit, isHurried: true }) as Promise<Matched<Hit<MemoryId>>>),
		};
	}

	return {
		index,
		async close() {
			isClosed = true;
			reader?.post("close");
			await reader?.ended;
		},
	};
}
