/** Starts, uses and ends the thread for keyword search. */

import { fail, type Log, type MemoryId, type OrganisationId } from "cairn-memory";
import type { ChunkHit, Hit, Matched, MemoryFilter, QueryTerm, Scope, WordSearch } from "cairn-memory/stores";
import { type AskedThread, askedThread } from "../threads/asked-thread.ts";

export interface WordsReaderData {
	/** The path of the database. */
	readonly file: string;
	/** The folder of the storage. */
	readonly folder: string;
	/** Whether this thread removes word files that cannot be used. Only one thread does. */
	readonly canRemove: boolean;
}

/** A warning for the log. */
export interface WordsNotice {
	readonly notice: string;
	readonly details: Readonly<Record<string, unknown>>;
}

interface LookupOptions {
	readonly words: readonly QueryTerm[];
	readonly limit: number;
	/** See `WordPartition.askHurried`. */
	readonly isHurried: boolean;
}

export interface Lookup {
	readonly id: number;
	readonly organisation: string;
	readonly asked:
		| (LookupOptions & { readonly kind: "chunk"; readonly scope: Scope })
		| (LookupOptions & { readonly kind: "memory"; readonly memoryFilter: MemoryFilter });
}

/**
 * JSON. Posting a string to another thread takes half the time of posting objects, and hits only have strings and numbers. A lookup of
 * chunks is posted as JSON too; one of memories is not, because it has dates.
 */
export type LookupResult = string;

export interface WordsThread {
	readonly index: (organisation: OrganisationId) => WordSearch;
	readonly close: () => Promise<void>;
}

/** The thread starts with the first search, so a program that only writes has none. If it ends by itself, the next search starts a new one. */
export function wordsThread(data: WordsReaderData, log: Log): WordsThread {
	let reader: AskedThread | null = null;
	let isClosed = false;

	function start(): AskedThread {
		const started = askedThread({
			script: new URL("./words-reader.ts", import.meta.url),
			data,
			name: "the thread for keyword search",
			// The thread sends no other notices.
			onNotice: (notice) => log("warn", (notice as WordsNotice).notice, (notice as WordsNotice).details),
		});
		started.ended.then(() => {
			if (reader === started) reader = null;
		});
		return started;
	}

	/** The result is that of `wordIndex` in the other thread. */
	async function ask<Found>(organisation: OrganisationId, asked: Lookup["asked"]): Promise<Matched<Found>> {
		if (isClosed) throw fail("STORAGE_UNREACHABLE", "it is closed");
		if (asked.words.length === 0 || asked.limit <= 0) return { hits: [], isWhole: true };
		reader ??= start();
		const thread = reader;
		const post = (lookup: Lookup) => thread.post(asked.kind === "chunk" ? JSON.stringify(lookup) : lookup);
		return JSON.parse(await thread.ask<LookupResult>((id) => post({ id, organisation, asked })));
	}

	/** Limits the wait for an answer; a late answer is ignored. The time that the thread takes to start does not count. */
	async function within<Found>(waitMs: number | undefined, answer: Promise<Matched<Found>>): Promise<Matched<Found>> {
		if (waitMs === undefined) return answer;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const started = reader?.online ?? Promise.resolve();
		const late = started.then(
			() =>
				new Promise<Matched<Found>>((resolve) => {
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
		return {
			matchChunks: async (words, scope, limit, waitMs) =>
				within(waitMs, ask<ChunkHit>(organisation, { kind: "chunk", words, scope, limit, isHurried: waitMs !== undefined })),
			matchMemories: async (words, memoryFilter, limit, waitMs) =>
				within(waitMs, ask<Hit<MemoryId>>(organisation, { kind: "memory", words, memoryFilter, limit, isHurried: waitMs !== undefined })),
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
