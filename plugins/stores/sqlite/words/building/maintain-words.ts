/** Upkeep of the word files: which organisations need a new one, and which files are no longer needed. */

import { mkdir } from "node:fs/promises";
import type { Log, OrganisationId } from "cairn-memory";
import { changesKept } from "../../../sql/upkeep.ts";
import { isErasureDue } from "../../index-files/generation.ts";
import type { Reads } from "../../threads/reads.ts";
import { createYielder } from "../../vectors/yielder.ts";
import { storedWordClaims, sweepWords, wordPaths } from "../stored/word-folder.ts";
import type { WordClaims } from "../stored/word-manifest.ts";
import { areChangesKept, changeFurther, newestChange, nextOrganisation, textFurther } from "../text-tables.ts";
import { type TextKind, type WordAddress, wordFileStem } from "../word-address.ts";
import { buildWords } from "./word-builder.ts";

/** A file is built anew when it lacks `freshMin` texts and this share of what it has, or when so many have gone. */
const freshShare = 0.1;

/** In about 0.2 ms. */
const countedAtOnce = 2_000;

export interface WordMaintenance {
	/** Builds the files that are missing or out of date, and removes those that nothing needs. One run at a time: a second call joins the first. */
	readonly maintain: (signal: AbortSignal) => Promise<void>;
	/** Stops what runs. */
	readonly close: () => Promise<void>;
}

export interface WordMaintenanceParts {
	readonly file: string;
	readonly folder: string;
	readonly log: Log;
	readonly reads: Reads;
	/** A smaller organisation needs no file: its texts are read in the time of a slow search. */
	readonly freshMin: number;
}

export function createWordMaintenance(maintenance: WordMaintenanceParts): WordMaintenance {
	const closing = new AbortController();
	let running: Promise<void> | null = null;
	return {
		maintain(signal) {
			running ??= maintainAll(maintenance, AbortSignal.any([signal, closing.signal])).finally(() => {
				running = null;
			});
			return running;
		},
		async close() {
			closing.abort();
			await running?.catch(() => undefined);
		},
	};
}

async function maintainAll(maintenance: WordMaintenanceParts, signal: AbortSignal): Promise<void> {
	const { folder, file, log, reads } = maintenance;
	await mkdir(folder, { recursive: true });
	const stems = new Set<string>();
	for await (const address of storedTexts(reads)) {
		if (signal.aborted) return;
		stems.add(wordFileStem(address));
		const claims = await storedWordClaims(folder, address);
		if (await isWorthBuilding(address, claims, maintenance)) await buildWords({ file, folder, address }, signal, log);
	}
	if (!signal.aborted) await sweepWords(folder, (stem) => stems.has(stem));
}

async function* storedTexts({ connection }: Reads): AsyncGenerator<WordAddress> {
	const yielder = createYielder();
	for (const kind of ["chunk", "memory"] as const satisfies readonly TextKind[]) {
		let organisation: OrganisationId | null = nextOrganisation(connection(), kind, null);
		for (; organisation !== null; organisation = nextOrganisation(connection(), kind, organisation)) {
			yield { kind, organisation };
			const pause = yielder.yieldIfDue();
			if (pause) await pause;
		}
	}
}

async function isWorthBuilding(address: WordAddress, claims: WordClaims | null, { folder, reads, freshMin }: WordMaintenanceParts): Promise<boolean> {
	const db = reads.connection();
	const areTexts = (after: number, count: number) => isThere(after, count, (from, step) => textFurther(db, address, from, step));
	const areChanges = (after: number, count: number) => isThere(after, count, (from, step) => changeFurther(db, address, from, step));
	if (claims === null || !areChangesKept(db, claims.lastChange)) return areTexts(0, freshMin);
	// Long before what it has not heard of is forgotten.
	if (newestChange(db) - claims.lastChange > changesKept / 2) return true;
	const most = Math.max(freshMin, Math.ceil(claims.texts * freshShare));
	if ((await areTexts(claims.lastKey, most)) || (await areChanges(claims.lastChange, most))) return true;
	// The words of a text that was deleted are still in the file.
	return (await areChanges(claims.lastChange, 1)) && isErasureDue(claims.generation, wordPaths(folder, address, "").manifest);
}

/** Whether so many come after one: step by step, since this runs where requests are answered. */
async function isThere(after: number, count: number, further: (from: number, count: number) => number | null): Promise<boolean> {
	const yielder = createYielder();
	let at: number | null = after;
	for (let left = count; left > 0 && at !== null; left -= countedAtOnce) {
		at = further(at, Math.min(left, countedAtOnce));
		const pause = yielder.yieldIfDue();
		if (pause) await pause;
	}
	return at !== null;
}
