/** The reading of one document as the queue sees it: it waits its turn when it is big, and makes room for others when it is long. */

import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { Extracted } from "../pipeline/hand-offs.ts";
import type { World } from "../ports/world.ts";
import { createScales, type Scales } from "./scales.ts";

export interface Reading {
	readonly run: (document: Document, signal: AbortSignal, extract: () => Promise<Extracted>) => Promise<Extracted>;
	/** Whether it has been going on for long: then it is a process that works, or is waited for, and nothing here. */
	readonly isLong: () => boolean;
	/** Says that the text which was read is no longer held. */
	readonly end: () => void;
}

/** All that short files need. */
const longMs = 2_000;

/** One for all documents of a worker. @returns what begins the reading of one document. */
export function createReadings({ elapsedMs }: World): () => Reading {
	const bytes = createScales(limits.bytesInHandMax);
	const characters = createScales(limits.charactersInHandMax);
	return () => begin(bytes, characters, elapsedMs);
}

function begin(bytes: Scales, characters: Scales, elapsedMs: World["elapsedMs"]): Reading {
	let since: number | null = null;
	let putDown: () => void = () => undefined;

	async function read({ content }: Document, signal: AbortSignal, extract: () => Promise<Extracted>): Promise<Extracted> {
		const closeFile = await bytes.enter(content.kind === "file" ? content.byteLength : 0, signal);
		const extracted = await extract().finally(closeFile);
		const { length } = extracted.extraction.text;
		if (!characters.hasRoom(length)) return await readAgainLater(length, signal, extract);
		putDown = await characters.enter(length, signal);
		return extracted;
	}

	/** What is long does not wait in memory: its extraction is kept, so that the second reading of a file costs little. */
	async function readAgainLater(length: number, signal: AbortSignal, extract: () => Promise<Extracted>): Promise<Extracted> {
		putDown = await characters.enter(length, signal);
		return await extract();
	}

	return {
		run: async (document, signal, extract) => {
			since = elapsedMs();
			return await read(document, signal, extract).finally(() => {
				since = null;
			});
		},
		isLong: () => since !== null && elapsedMs() - since >= longMs,
		end: () => putDown(),
	};
}
