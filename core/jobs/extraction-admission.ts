/** Admits documents to extraction: heavy ones wait for a place, big ones for memory, and a long extraction gives its place to others. */

import type { Extracted } from "../ingest/stage-results.ts";
import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { World } from "../ports/world.ts";

/** Limits the total weight of what runs at once, so that several big tasks together do not exhaust the memory. */
export interface WeightedSemaphore {
	/** Whether `enter` would let it in at once. */
	readonly hasRoom: (weight: number) => boolean;
	/**
	 * Waits its turn. What weighs next to nothing passes at once, what weighs more than is allowed at all goes alone.
	 * @returns what to call in the end; more than once does no harm. Rejects with the signal's reason.
	 */
	readonly acquire: (weight: number, signal: AbortSignal) => Promise<() => void>;
}

/** Below this share of the whole a thing is not weighed: it is not what fills the memory, and it should not wait for what does. */
const lightShare = 1 / 32;

interface Waiting {
	readonly weight: number;
	readonly admit: () => void;
}

export function createWeightedSemaphore(weightMax: number): WeightedSemaphore {
	const waiting: Waiting[] = [];
	let weighed = 0;

	const isLight = (weight: number) => weight < weightMax * lightShare;
	const fits = (weight: number) => weighed === 0 || weighed + weight <= weightMax;
	const admitAll = () => {
		for (let next = waiting[0]; next !== undefined && fits(next.weight); next = waiting[0]) {
			waiting.shift();
			next.admit();
		}
	};
	const leave = (weight: number) => {
		weighed -= weight;
		admitAll();
	};
	const taken = (weight: number) => {
		weighed += weight;
		let isIn = true;
		return () => {
			if (isIn) leave(weight);
			isIn = false;
		};
	};

	const hasRoom = (weight: number) => isLight(weight) || (waiting.length === 0 && fits(weight));

	return {
		hasRoom,
		acquire: (weight, signal) => {
			if (isLight(weight)) return Promise.resolve(() => undefined);
			if (hasRoom(weight)) return Promise.resolve(taken(weight));
			const { promise, resolve, reject } = Promise.withResolvers<() => void>();
			const stop = () => {
				waiting.splice(waiting.indexOf(entry), 1);
				reject(signal.reason);
				// It may have been what those behind it were waiting for.
				admitAll();
			};
			const entry: Waiting = {
				weight,
				admit: () => {
					signal.removeEventListener("abort", stop);
					resolve(taken(weight));
				},
			};
			waiting.push(entry);
			signal.addEventListener("abort", stop, { once: true });
			return promise;
		},
	};
}

export interface Admission {
	/** Waits for a place before the content is loaded. Only a few heavy documents are processed at once; light ones pass. */
	readonly begin: (isHeavy: boolean, signal: AbortSignal) => Promise<void>;
	/** Gives its place to others for good: from now on it only waits. */
	readonly makeWay: () => void;
	readonly run: (document: Document, signal: AbortSignal, extract: () => Promise<Extracted>) => Promise<Extracted>;
	/** Whether it waits for its place, or has run for long. Then another process works or is waited for, and this thread is free. */
	readonly isWaiting: () => boolean;
	/** It is over, and its text is no longer held. */
	readonly end: () => void;
}

/** Short files take less. */
const longMs = 2_000;

/** One for all documents of a worker. @returns a function that begins the admission of one document. */
export function createAdmissions(world: World): () => Admission {
	const places = createWeightedSemaphore(limits.concurrentHeavyDocumentsMax);
	const bytes = createWeightedSemaphore(limits.bytesInFlightMax);
	const characters = createWeightedSemaphore(limits.charactersInFlightMax);
	return () => admissionOf(places, bytes, characters, world);
}

function admissionOf(places: WeightedSemaphore, bytes: WeightedSemaphore, characters: WeightedSemaphore, { elapsedMs, sleep }: World): Admission {
	let since: number | null = null;
	let isQueued = false;
	let place: (() => void) | null = null;
	let putDown: () => void = () => undefined;

	async function read({ content }: Document, signal: AbortSignal, extract: () => Promise<Extracted>): Promise<Extracted> {
		const closeFile = await bytes.acquire(content.kind === "file" ? content.byteLength : 0, signal);
		const extracted = await extract().finally(closeFile);
		const { length } = extracted.extraction.text;
		if (!characters.hasRoom(length)) return await readAgainLater(length, signal, extract);
		putDown = await characters.acquire(length, signal);
		return extracted;
	}

	/** A long text does not wait in memory: its extraction is stored, so that reading it again costs little. */
	async function readAgainLater(length: number, signal: AbortSignal, extract: () => Promise<Extracted>): Promise<Extracted> {
		putDown = await characters.acquire(length, signal);
		return await extract();
	}

	return {
		begin: async (isHeavy, signal) => {
			if (!isHeavy) return;
			isQueued = true;
			place = await places.acquire(1, signal).finally(() => {
				isQueued = false;
			});
		},
		makeWay: () => place?.(),
		run: async (document, signal, extract) => {
			since = elapsedMs();
			const over = new AbortController();
			const leave = place;
			if (leave !== null) void sleep(longMs, over.signal).then(() => over.signal.aborted || leave());
			return await read(document, signal, extract).finally(() => {
				since = null;
				over.abort();
			});
		},
		isWaiting: () => isQueued || (since !== null && elapsedMs() - since >= longMs),
		end: () => {
			putDown();
			place?.();
		},
	};
}
