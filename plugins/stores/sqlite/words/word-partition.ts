/** The word index of one organisation's chunks or memories: opened at the first search, renewed when a new file is built. */

import { ChunkRows, chunksByKey } from "../chunk-rows.ts";
import type { Reads } from "../threads/reads.ts";
import { dataVersion } from "../vectors/vector-tables.ts";
import { type CaughtUp, LiveTexts } from "./live-texts.ts";
import { ScopeDocuments } from "./scope-documents.ts";
import { storedFault } from "./stored/stored-fault.ts";
import { type Distrusted, loadWords, removeDistrusted, storedWordClaims } from "./stored/word-folder.ts";
import type { WordAddress } from "./word-address.ts";

export interface WordPartitionContext {
	/** Where word files are. */
	readonly folder: string;
	readonly reads: Reads;
	/** One thread of a program removes files that cannot be trusted, so that new ones are built. */
	readonly canRemove: boolean;
	readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void;
	/** How often a partition looks whether a new file has been built. */
	readonly lookMs?: number;
}

const lookMsUsual = 2_000;
/** Who has read fewer texts itself has no need of one. */
const worthLookingFrom = 100;
/**
 * So much a hurried question reads before it is answered from what is known: about 100 ms. That is a thousand notes; only
 * after a start, or beside a flood of small documents, one is answered without the oldest of them.
 */
const hurried = { pages: 40, characters: 400_000 };

/** All that is not known, or the beginnings of documents. */
type Wanted = "whole" | "first";

/** An answer from the texts that are known. */
export interface Answered<Answer> {
	readonly answer: Answer;
	/** Whether these are all. */
	readonly isWhole: boolean;
}

export class WordPartition {
	/** What the texts are, where they are chunks. */
	readonly chunks: ChunkRows;
	readonly scopes: ScopeDocuments;
	readonly #address: WordAddress;
	readonly #context: WordPartitionContext;
	#live: LiveTexts | null = null;
	/** Of which everything was known at this state of the database. */
	#current: { readonly live: LiveTexts; readonly version: number } | null = null;
	#opening: Promise<LiveTexts> | null = null;
	readonly #pages: Record<Wanted, Promise<CaughtUp> | null> = { whole: null, first: null };
	#isReadingOn = false;
	#isRenewing = false;
	/** The file that was last tried, good or bad. */
	#triedGeneration: string | null = null;
	#lookedAt = performance.now();

	constructor(address: WordAddress, context: WordPartitionContext) {
		this.#address = address;
		this.#context = context;
		this.scopes = new ScopeDocuments(address);
		this.chunks = new ChunkRows(address.organisation, chunksByKey(address.organisation));
	}

	get byteLength(): number {
		return (this.#live?.byteLength ?? 0) + this.scopes.byteLength;
	}

	/** Does what makes a question cheap, each step in a turn of its own. Nothing where the index is not open yet. */
	async prepare(steps: (live: LiveTexts) => Iterable<void>): Promise<void> {
		if (this.#live !== null) for (const _ of steps(this.#live)) await readingTurn();
	}

	/** Asks when everything is known that was committed before; the index and the tables then are of one moment. */
	async ask<Answer>(question: (live: LiveTexts) => Answer): Promise<Answer> {
		for (;;) {
			const turn = this.#askNow(question, "whole");
			if (turn !== null) return turn.answer;
			while ((await this.#page("whole")) !== "current");
		}
	}

	/** Asks when all small documents are known, and the beginnings of others; the rest is read from now on in the background. */
	async askHurried<Answer>(question: (live: LiveTexts) => Answer): Promise<Answered<Answer>> {
		let before: number | null = null;
		for (let pages = 0; ; ) {
			const turn = this.#askNow(question, "first");
			if (turn?.isWhole === false) this.#readOn();
			if (turn !== null) return turn;
			for (let state: CaughtUp = "more"; state === "more" || state === "lost"; pages++) {
				const live = await this.#opened();
				before ??= live.charactersRead;
				if (pages >= hurried.pages || live.charactersRead - before >= hurried.characters) return this.#askAnyway(live, question);
				state = await this.#page("first");
			}
		}
	}

	/** @returns null when there is something to read first. */
	#askNow<Answer>(question: (live: LiveTexts) => Answer, wanted: Wanted): Answered<Answer> | null {
		const { reads } = this.#context;
		const live = this.#live;
		if (live === null || this.#pages[wanted] !== null) return null;
		const turn = reads.snapshot(() => {
			const state = this.#caughtUp(live, wanted);
			if (state === "lost") this.#forget(live);
			return state === "lost" || state === "more" ? null : { answer: question(live), isWhole: state === "current" };
		});
		if (turn !== null) this.#renewIfWorth(live);
		return turn;
	}

	/** The tables are asked only where another connection has committed something since all was known. */
	#caughtUp(live: LiveTexts, wanted: Wanted): CaughtUp {
		const { reads } = this.#context;
		const version = dataVersion(reads);
		if (this.#current?.live === live && this.#current.version === version) return "current";
		const state = live.catchUp(reads, wanted === "first");
		this.#current = state === "current" ? { live, version } : null;
		return state;
	}

	#askAnyway<Answer>(live: LiveTexts, question: (live: LiveTexts) => Answer): Answered<Answer> {
		this.#readOn();
		this.#renewIfWorth(live);
		return { answer: this.#context.reads.snapshot(() => question(live)), isWhole: false };
	}

	/** Once for all who wait for it, so that many of them keep the thread no busier than one. */
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
	#readOn(): void {
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
		const generation = "reason" in loaded ? loaded.generation : loaded.claims.generation;
		this.#triedGeneration = generation;
		const reason = "reason" in loaded ? loaded.reason : storedFault(loaded, reads, this.#address);
		if (reason !== null) await this.#distrust({ reason, generation });
		return new LiveTexts(this.#address, "reason" in loaded || reason !== null ? null : loaded);
	}

	async #distrust(distrusted: Distrusted): Promise<void> {
		const { folder, canRemove, warn } = this.#context;
		// Between reading what it claims and reading it, a newer one may have come and the old one gone.
		const isThere = (await storedWordClaims(folder, this.#address))?.generation ?? distrusted.generation;
		if (isThere === distrusted.generation) warn("a word index is not used and will be built anew", { ...this.#address, reason: distrusted.reason });
		if (canRemove) await removeDistrusted(folder, this.#address, distrusted);
	}

	/** Does not keep the search waiting. */
	#renewIfWorth(live: LiveTexts): void {
		const { lookMs = lookMsUsual } = this.#context;
		if (this.#isRenewing || live.fresh.size < worthLookingFrom || performance.now() - this.#lookedAt < lookMs) return;
		this.#lookedAt = performance.now();
		this.#isRenewing = true;
		this.#renew()
			.catch((error: unknown) => this.#context.warn("a new word index could not be taken", { ...this.#address, error: String(error) }))
			.finally(() => {
				this.#isRenewing = false;
			});
	}

	/** Searches are answered from the old one until the new one knows as much. */
	async #renew(): Promise<void> {
		const { folder, reads } = this.#context;
		const claims = await storedWordClaims(folder, this.#address);
		if (claims === null || claims.generation === this.#triedGeneration) return;
		const live = await this.#open();
		while (live.generation !== null) {
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

/** Between any two pages, of whichever partition, whatever else has arrived is answered. */
function readingTurn(): Promise<void> {
	lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
	return lastTurn;
}
