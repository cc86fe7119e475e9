/** The word index of one organisation's chunks or memories: opened at the first search, renewed when a new file is built. */

import type { Reads } from "../reads.ts";
import { LiveTexts } from "./live-texts.ts";
import { storedFault } from "./stored-fault.ts";
import type { WordAddress } from "./word-address.ts";
import { type Distrusted, loadWords, removeDistrusted, storedWordClaims } from "./word-folder.ts";

export interface WordRoomContext {
	/** Where word files are. */
	readonly folder: string;
	readonly reads: Reads;
	/** One thread of a program removes files that cannot be trusted, so that new ones are built. */
	readonly canRemove: boolean;
	readonly warn: (message: string, facts: Readonly<Record<string, unknown>>) => void;
	/** How often a room looks whether a new file has been built. */
	readonly lookMs?: number;
}

const lookMsUsual = 2_000;
/** Who has read fewer texts itself has no need of one. */
const worthLookingFrom = 100;

export class WordRoom {
	readonly #address: WordAddress;
	readonly #context: WordRoomContext;
	#live: LiveTexts | null = null;
	/** The reading under way, and since when. */
	#reading: Promise<void> | null = null;
	#readingSince = 0;
	#isRenewing = false;
	/** The file that was last tried, be it good or bad. */
	#triedGeneration: string | null = null;
	#lookedAt = performance.now();

	constructor(address: WordAddress, context: WordRoomContext) {
		this.#address = address;
		this.#context = context;
	}

	get byteLength(): number {
		return this.#live?.byteLength ?? 0;
	}

	/** Asks when everything is known that was committed before; the index and the tables then are of one moment. */
	async ask<Answer>(question: (live: LiveTexts) => Answer): Promise<Answer> {
		for (;;) {
			const turn = this.#askNow(question);
			if (turn !== null) return turn.answer;
			await this.#readAll();
		}
	}

	/** What is not known is read from now on; null when that has gone on for `waitMs`. */
	async askWithin<Answer>(waitMs: number, question: (live: LiveTexts) => Answer): Promise<Answer | null> {
		const turn = this.#askNow(question);
		if (turn !== null) return turn.answer;
		const reading = this.#readAll();
		const left = waitMs - (performance.now() - this.#readingSince);
		return left > 0 && (await isDoneWithin(reading, left)) ? this.ask(question) : null;
	}

	/** @returns null when there is something to read first. */
	#askNow<Answer>(question: (live: LiveTexts) => Answer): { readonly answer: Answer } | null {
		const { reads } = this.#context;
		const live = this.#live;
		if (live === null || this.#reading !== null) return null;
		const turn = reads.snapshot(() => (live.catchUp(reads) === "current" ? { answer: question(live) } : null));
		if (turn !== null) this.#renewIfWorth(live);
		return turn;
	}

	/** Once for all who ask meanwhile, so that many of them keep the thread no busier than one; goes on when nobody waits any more. */
	#readAll(): Promise<void> {
		if (this.#reading !== null) return this.#reading;
		this.#readingSince = performance.now();
		const reading = this.#read().finally(() => {
			this.#reading = null;
		});
		// Who waits is told of a fault; where nobody does, the next one meets it.
		reading.catch(() => undefined);
		this.#reading = reading;
		return reading;
	}

	async #read(): Promise<void> {
		const { reads } = this.#context;
		for (;;) {
			this.#live ??= await this.#open();
			await readingTurn();
			const live = this.#live;
			const state = reads.snapshot(() => live.catchUp(reads));
			if (state === "current") return;
			if (state === "lost") this.#live = null;
		}
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
			if (state === "more") continue;
			this.#live = live;
			return;
		}
	}
}

let lastTurn: Promise<void> = Promise.resolve();

/** Between any two pages, of whichever room, whatever else has arrived is answered. */
function readingTurn(): Promise<void> {
	lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
	return lastTurn;
}

async function isDoneWithin(work: Promise<void>, waitMs: number): Promise<boolean> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<false>((resolve) => {
		timer = setTimeout(resolve, waitMs, false);
	});
	try {
		return await Promise.race([work.then(() => true), late]);
	} finally {
		clearTimeout(timer);
	}
}
