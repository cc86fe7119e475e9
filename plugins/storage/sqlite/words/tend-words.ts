/** Upkeep of the word files: which organisations need a new one, and which files nobody needs. */

import { mkdir } from "node:fs/promises";
import type { Log, OrganisationId } from "cairn";
import type { Reads } from "../reads.ts";
import { createBreather } from "../vectors/breather.ts";
import { areChangesKept, countChangesAfter, countTextsAfter, newestChange, nextOrganisation } from "./text-tables.ts";
import { type TextKind, type WordAddress, wordFileStem } from "./word-address.ts";
import { buildWords } from "./word-builder.ts";
import { storedWordClaims, sweepWords } from "./word-folder.ts";
import type { WordClaims } from "./word-manifest.ts";

/** How many changes of texts stay written down, of all organisations together. */
export const changesKept = 200_000;

/** A file that does not know so many of a search's texts, and this share, is built anew; likewise when so many of its texts are gone. */
const freshShare = 0.1;

export interface TendingWords {
	readonly file: string;
	readonly folder: string;
	readonly log: Log;
	readonly reads: Reads;
	/** A smaller organisation needs no file: its texts are read in the time of a slow search. */
	readonly freshMin: number;
}

export function createWordTending(tending: TendingWords): (signal: AbortSignal) => Promise<void> {
	return async (signal) => {
		const { folder, file, log, reads } = tending;
		await mkdir(folder, { recursive: true });
		const stems = new Set<string>();
		for await (const address of storedTexts(reads)) {
			if (signal.aborted) return;
			stems.add(wordFileStem(address));
			const claims = await storedWordClaims(folder, address);
			if (isWorthBuilding(address, claims, tending)) await buildWords({ file, folder, address }, signal, log);
		}
		if (!signal.aborted) await sweepWords(folder, (stem) => stems.has(stem));
	};
}

async function* storedTexts({ connection }: Reads): AsyncGenerator<WordAddress> {
	const breather = createBreather();
	for (const kind of ["chunk", "memory"] as const satisfies readonly TextKind[]) {
		let organisation: OrganisationId | null = nextOrganisation(connection(), kind, null);
		for (; organisation !== null; organisation = nextOrganisation(connection(), kind, organisation)) {
			yield { kind, organisation };
			const pause = breather.breathe();
			if (pause) await pause;
		}
	}
}

function isWorthBuilding(address: WordAddress, claims: WordClaims | null, { reads, freshMin }: TendingWords): boolean {
	const db = reads.connection();
	if (claims === null || !areChangesKept(db, claims.lastChange)) return countTextsAfter(db, address, 0, freshMin) >= freshMin;
	// Long before what it has not heard of is forgotten.
	if (newestChange(db) - claims.lastChange > changesKept / 2) return true;
	const most = Math.max(freshMin, Math.ceil(claims.texts * freshShare));
	return countTextsAfter(db, address, claims.lastKey, most) >= most || countChangesAfter(db, address, claims.lastChange, most) >= most;
}
