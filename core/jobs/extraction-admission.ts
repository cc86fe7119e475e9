/** Admits documents to extraction. Heavy documents wait for a place, big ones for memory. A long extraction gives its place to others. */

import type { ExtractedDocument } from "../ingest/stage-results.ts";
import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { World } from "../ports/world.ts";

/** Limits the total weight of concurrent tasks, so that several big ones together do not exhaust the memory. */
export interface WeightedSemaphore {
	/** Whether `acquire` would return at once. */
	readonly hasRoom: (weight: number) => boolean;
	/**
	 * Waits until the weight fits. A task of very small weight is admitted at once; one that weighs more than the maximum runs alone.
	 * @returns a function that releases the weight; it may be called more than once. Rejects with the signal's reason if it is aborted.
	 */
	readonly acquire: (weight: number, signal: AbortSignal) => Promise<() => void>;
}

/** A task below this share of the maximum is not counted: it does not fill the memory, and should not wait for tasks that do. */
const lightShare = 1 / 32;

interface WaitingTask {
	readonly weight: number;
	readonly admit: () => void;
}

export function createWeightedSemaphore(weightMax: number): WeightedSemaphore {
	const queue: WaitingTask[] = [];
	let totalWeight = 0;

	const isLight = (weight: number) => weight < weightMax * lightShare;
	const fits = (weight: number) => totalWeight === 0 || totalWeight + weight <= weightMax;
	const admitWaiting = () => {
		for (let next = queue[0]; next !== undefined && fits(next.weight); next = queue[0]) {
			queue.shift();
			next.admit();
		}
	};
	const release = (weight: number) => {
		totalWeight -= weight;
		admitWaiting();
	};
	const acquireNow = (weight: number) => {
		totalWeight += weight;
		let isHeld = true;
		return () => {
			if (isHeld) release(weight);
			isHeld = false;
		};
	};

	const hasRoom = (weight: number) => isLight(weight) || (queue.length === 0 && fits(weight));

	return {
		hasRoom,
		acquire: (weight, signal) => {
			if (isLight(weight)) return Promise.resolve(() => undefined);
			if (hasRoom(weight)) return Promise.resolve(acquireNow(weight));
			const { promise, resolve, reject } = Promise.withResolvers<() => void>();
			const stop = () => {
				queue.splice(queue.indexOf(entry), 1);
				reject(signal.reason);
				// The tasks queued after it may fit now.
				admitWaiting();
			};
			const entry: WaitingTask = {
				weight,
				admit: () => {
					signal.removeEventListener("abort", stop);
					resolve(acquireNow(weight));
				},
			};
			queue.push(entry);
			signal.addEventListener("abort", stop, { once: true });
			return promise;
		},
	};
}

export interface Admission {
	/** Waits for a place before the content is loaded. Only a few heavy documents are processed concurrently; light ones do not wait. */
	readonly begin: (isHeavy: boolean, signal: AbortSignal) => Promise<void>;
	/** Gives its place to others permanently, since from now on it only waits. */
	readonly releasePlace: () => void;
	readonly run: (document: Document, signal: AbortSignal, extract: () => Promise<ExtractedDocument>) => Promise<ExtractedDocument>;
	/**
	 * Whether it waits for its place, is a heavy document that is being extracted, or has been for a long time. Then this thread is free,
	 * since the work is done in another process. Otherwise notes would wait behind files.
	 */
	readonly isWaiting: () => boolean;
	/** Called when processing has ended and the text is no longer in memory. Releases everything. */
	readonly end: () => void;
}

/** An extraction that takes longer is a long one; short files take less. */
const longMs = 2_000;

/** Creates the limits that all documents of a worker share. @returns a function that creates the admission of one document. */
export function createAdmissions(world: World): () => Admission {
	const places = createWeightedSemaphore(limits.concurrentHeavyDocumentsMax);
	const bytes = createWeightedSemaphore(limits.bytesInFlightMax);
	const characters = createWeightedSemaphore(limits.charactersInFlightMax);
	return () => admissionOf(places, bytes, characters, world);
}

function admissionOf(places: WeightedSemaphore, bytes: WeightedSemaphore, characters: WeightedSemaphore, { elapsedMs, sleep }: World): Admission {
	let startedAtMs: number | null = null;
	let isQueued = false;
	let holdsPlace = false;
	let releasePlace: (() => void) | null = null;
	let releaseText: () => void = () => undefined;

	async function extractWithinMemory({ content }: Document, signal: AbortSignal, extract: () => Promise<ExtractedDocument>): Promise<ExtractedDocument> {
		const releaseFile = await bytes.acquire(content.kind === "file" ? content.byteLength : 0, signal);
		const extracted = await extract().finally(releaseFile);
		const { length } = extracted.extraction.text;
		if (!characters.hasRoom(length)) return await readAgainLater(length, signal, extract);
		releaseText = await characters.acquire(length, signal);
		return extracted;
	}

	/** A long text does not wait in memory. Its extraction is stored, so reading it again later costs little. */
	async function readAgainLater(length: number, signal: AbortSignal, extract: () => Promise<ExtractedDocument>): Promise<ExtractedDocument> {
		releaseText = await characters.acquire(length, signal);
		return await extract();
	}

	return {
		begin: async (isHeavy, signal) => {
			if (!isHeavy) return;
			isQueued = true;
			releasePlace = await places.acquire(1, signal).finally(() => {
				isQueued = false;
			});
			holdsPlace = true;
		},
		releasePlace: () => releasePlace?.(),
		run: async (document, signal, extract) => {
			startedAtMs = elapsedMs();
			const finished = new AbortController();
			const releasePlaceLater = releasePlace;
			if (releasePlaceLater !== null) void sleep(longMs, finished.signal).then(() => finished.signal.aborted || releasePlaceLater());
			return await extractWithinMemory(document, signal, extract).finally(() => {
				startedAtMs = null;
				finished.abort();
			});
		},
		isWaiting: () => isQueued || (startedAtMs !== null && (holdsPlace || elapsedMs() - startedAtMs >= longMs)),
		end: () => {
			releaseText();
			releasePlace?.();
		},
	};
}
