/**
 * The word index of one organisation's chunks or memories. It is opened at the first search, and loaded again when a new file was built or
 * most of what was read from the tables has been deleted since.
 */

import { ChunkRows, chunksByKey } from "../chunk-rows.ts";
import type { Reads } from "../threads/reads.ts";
import { dataVersion } from "../vectors/vector-tables.ts";
import { type CaughtUp, LiveTexts } from "./live-texts.ts";
import { ScopeDocuments } from "./scope-documents.ts";
import { storedFault } from "./stored/stored-fault.ts";
import { type Distrusted, loadWords, removeDistrusted, storedWordManifest } from "./stored/word-folder.ts";
import type { WordAddress } from "./word-address.ts";

export interface WordPartitionContext {
	/** The folder with the word files. */
	readonly folder: string;
	readonly reads: Reads;
	/** Whether this thread removes files that cannot be used, so that new ones are built. Only one thread does. */
	readonly canRemove: boolean;
	readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
	/** How often a partition checks whether a new file has been built. */
	readonly lookMs?: number;
}

const lookMsDefault = 2_000;
/** With fewer texts read from the tables, a new file would not help. */
const freshTextsMin = 100;
/**
 * From this many deleted texts on, and this share of the texts read from the tables, all are read again. Deleted texts keep their memory
 * until then, about 3 kB for a kilobyte of text, and no file is built for texts that are gone.
 */
const deadFreshMin = 500;
const deadFreshShare = 1 / 2;
/**
 * How much a hurried search reads before it runs on what is known: about 100 ms, or a thousand notes. Only after a start, or while very
 * many small documents are added, it runs without some of them.
 */
const hurried = { pages: 40, characters: 400_000 };

/** What to read: all unknown texts, or only the first chunks of documents. */
type Wanted = "whole" | "first";

/** A result from the texts that are known. */
export interface Answered<Answer> {
	readonly answer: Answer;
	/** Whether all texts were known. */
	readonly isWhole: boolean;
}

export class WordPartition {
	/** A cache of the chunks, used if the texts are chunks. */
	readonly chunks: ChunkRows;
	readonly scopes: ScopeDocuments;
	readonly #address: WordAddress;
	readonly #context: WordPartitionContext;
	#live: LiveTexts | null = null;
	/** The state of the database at which everything was known. */
	#current: { readonly live: LiveTexts; readonly version: number } | null = null;
	#opening: Promise<LiveTexts> | null = null;
	readonly #pages: Record<Wanted, Promise<CaughtUp> | null> = { whole: null, first: null };
	#isReadingOn = false;
	#isRenewing = false;
	/** The generation of the file that was tried last, usable or not. */
	#triedGeneration: string | null = null;
	#checkedAt = performance.now();

	constructor(address: WordAddress, context: WordPartitionContext) {
		this.#address = address;
		this.#context = context;
		this.scopes = new ScopeDocuments(address);
		this.chunks = new ChunkRows(address.organisation, chunksByKey(address.organisation));
	}

	get byteLength(): number {
		return (this.#live?.byteLength ?? 0) + this.scopes.byteLength;
	}

	/** Runs steps that make a search cheap, each in a turn of its own. Does nothing if the index is not open yet. */
	async prepare(steps: (live: LiveTexts) => Iterable<void>): Promise<void> {
		if (this.#live !== null) for (const _ of steps(this.#live)) await readingTurn();
	}

	/** Reads what a hurried search would have to read first. Does nothing if the index is not open yet. */
	async readAhead(): Promise<void> {
		for (let state: CaughtUp = "more"; state === "more" && this.#live !== null; ) state = await this.#page("first");
		if (this.#live !== null) this.#renewIfNeeded(this.#live);
	}

	/** Searches when everything that was committed before is known. The index and the tables are then of the same state. */
	async ask<Answer>(question: (live: LiveTexts) => Answer): Promise<Answer> {
		for (;;) {
			const turn = this.#askNow(question, "whole");
			if (turn !== null) return turn.answer;
			while ((await this.#page("whole")) !== "current");
		}
	}

	/** Searches when all small documents, and the first chunks of others, are known. The rest is read in the background. */
	async askHurried<Answer>(question: (live: LiveTexts) => Answer): Promise<Answered<Answer>> {
		let before: number | null = null;
		for (let pages = 0; ; ) {
			const turn = this.#askNow(question, "first");
			if (turn?.isWhole === false) this.#readInBackground();
			if (turn !== null) return turn;
			for (let state: CaughtUp = "more"; state === "more" || state === "lost"; pages++) {
				const live = await this.#opened();
				before ??= live.charactersRead;
				if (pages >= hurried.pages || live.charactersRead - before >= hurried.characters) return this.#askAnyway(live, question);
				state = await this.#page("first");
			}
		}
	}

	/** @returns null if something has to be read first. */
	#askNow<Answer>(question: (live: LiveTexts) => Answer, wanted: Wanted): Answered<Answer> | null {
		const { reads } = this.#context;
		const live = this.#live;
		if (live === null || this.#pages[wanted] !== null) return null;
		const turn = reads.snapshot(() => {
			const state = this.#catchUp(live, wanted);
			if (state === "lost") this.#forget(live);
			return state === "lost" || state === "more" ? null : { answer: question(live), isWhole: state === "current" };
		});
		if (turn !== null) this.#renewIfNeeded(live);
		return turn;
	}

	/** Reads new texts, unless nothing was committed since everything was known. */
	#catchUp(live: LiveTexts, wanted: Wanted): CaughtUp {
		const { reads } = this.#context;
		const version = dataVersion(reads);
		if (this.#current?.live === live && this.#current.version === version) return "current";
		const state = live.catchUp(reads, wanted === "first");
		this.#current = state === "current" ? { live, version } : null;
		return state;
	}

	#askAnyway<Answer>(live: LiveTexts, question: (live: LiveTexts) => Answer): Answered<Answer> {
		this.#readInBackground();
		this.#renewIfNeeded(live);
		return { answer: this.#context.reads.snapshot(() => question(live)), isWhole: false };
	}

	/** Reads one page for all callers that wait, so that many of them cost no more than one. */
	#page(wanted: Wanted): Promise<CaughtUp> {
		this.#pages[wanted] ??= this.#readPage(wanted).finally(() => {
			this.#pages[wanted] = null;
		});
		return this.#pages[wanted];
	}

	async #readPage(wanted: Wanted): Promise<CaughtUp> {
		const { reads } = this.#context;
		const live = await this.#opened();
		await readingTurn();
		const state = reads.snapshot(() => live.catchUp(reads, wanted === "first"));
		if (state === "lost") this.#forget(live);
		return state;
	}

	/** Continues without a waiting search. The next search gets an error of it. */
	#readInBackground(): void {
		if (this.#isReadingOn) return;
		this.#isReadingOn = true;
		this.ask(() => undefined)
			.catch(() => undefined)
			.finally(() => {
				this.#isReadingOn = false;
			});
	}

	#forget(live: LiveTexts): void {
		if (this.#live === live) this.#live = null;
	}

	async #opened(): Promise<LiveTexts> {
		if (this.#live !== null) return this.#live;
		this.#opening ??= this.#open().finally(() => {
			this.#opening = null;
		});
		const live = await this.#opening;
		this.#live ??= live;
		return this.#live;
	}

	async #open(): Promise<LiveTexts> {
		const { folder, reads } = this.#context;
		const loaded = await loadWords(folder, this.#address);
		if (loaded === null) return new LiveTexts(this.#address, null);
		const generation = "reason" in loaded ? loaded.generation : loaded.manifest.generation;
		this.#triedGeneration = generation;
		const reason = "reason" in loaded ? loaded.reason : storedFault(loaded, reads, this.#address);
		if (reason !== null) await this.#distrust({ reason, generation });
		return new LiveTexts(this.#address, "reason" in loaded || reason !== null ? null : loaded);
	}

	async #distrust(distrusted: Distrusted): Promise<void> {
		const { folder, canRemove, warn } = this.#context;
		// A newer index may have replaced it between the reading of the manifest and of the file.
		const isThere = (await storedWordManifest(folder, this.#address))?.generation ?? distrusted.generation;
		if (isThere === distrusted.generation) warn("a word index cannot be used and will be rebuilt", { ...this.#address, reason: distrusted.reason });
		if (canRemove) await removeDistrusted(folder, this.#address, distrusted);
	}

	/** Starts a renewal if it pays. The search does not wait for it. */
	#renewIfNeeded(live: LiveTexts): void {
		const { lookMs = lookMsDefault } = this.#context;
		if (this.#isRenewing || live.fresh.size < freshTextsMin || performance.now() - this.#checkedAt < lookMs) return;
		this.#checkedAt = performance.now();
		this.#isRenewing = true;
		this.#renew(live)
			.catch((error: unknown) => this.#context.warn("a new word index could not be loaded", { ...this.#address, error: String(error) }))
			.finally(() => {
				this.#isRenewing = false;
			});
	}

	/** Loads the new file, or what is left of the texts. Searches use the old index until the new one is up to date. */
	async #renew(old: LiveTexts): Promise<void> {
		const { folder, reads } = this.#context;
		const manifest = await storedWordManifest(folder, this.#address);
		const isMostlyDead = old.deadFresh >= Math.max(deadFreshMin, old.fresh.size * deadFreshShare);
		if (!isMostlyDead && (manifest === null || manifest.generation === this.#triedGeneration)) return;
		const live = await this.#open();
		while (isMostlyDead || live.generation !== null) {
			await readingTurn();
			const state = reads.snapshot(() => live.catchUp(reads));
			if (state === "lost") return;
			if (state !== "current") continue;
			this.#live = live;
			return;
		}
	}
}

let lastTurn: Promise<void> = Promise.resolve();

/** Lets other work run between two pages, of all partitions together. */
function readingTurn(): Promise<void> {
	lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
	return lastTurn;
}
