/** Maintenance of the word files: decides which organisations need a new one, and removes files that are no longer needed. */

import { mkdir } from "node:fs/promises";
import type { Log, OrganisationId } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { changesKept } from "../../../sql/upkeep.ts";
import { isErasureDue } from "../../index-files/generation.ts";
import { sweepFolder } from "../../index-files/index-files.ts";
import type { Reads } from "../../threads/reads.ts";
import { storedWordManifest, wordPaths } from "../stored/word-folder.ts";
import type { WordManifest } from "../stored/word-manifest.ts";
import { areChangesKept, changeFurther, newestChange, nextOrganisation, textFurther } from "../text-tables.ts";
import { type TextKind, type WordAddress, wordFileStem } from "../word-address.ts";
import { buildWords } from "./word-builder.ts";

/** A file is rebuilt when more than `freshMin` texts, and more than this share of its texts, are missing from it or were deleted. */
const freshShare = 0.1;

/** Rows that are counted in one statement: about 0.2 ms. */
const countedPerStep = 2_000;

export interface WordMaintenance {
	/** Builds missing and outdated files, and removes those that are not needed. There is one run at a time: a second call joins the first. */
	readonly maintain: (signal: AbortSignal) => Promise<void>;
	/** Stops the run in progress. */
	readonly close: () => Promise<void>;
}

export interface WordMaintenanceParts {
	readonly file: string;
	readonly folder: string;
	readonly log: Log;
	readonly reads: Reads;
	/** An organisation with fewer texts needs no file: they are read in the time of a slow search. */
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
		const manifest = await storedWordManifest(folder, address);
		if (await isWorthBuilding(address, manifest, maintenance)) await buildWords({ file, folder, address }, signal, log);
	}
	if (!signal.aborted) await sweepFolder(folder, (stem) => stems.has(stem));
}

async function* storedTexts({ connection }: Reads): AsyncGenerator<WordAddress> {
	for (const kind of ["chunk", "memory"] as const satisfies readonly TextKind[]) {
		let organisation: OrganisationId | null = nextOrganisation(connection(), kind, null);
		for (; organisation !== null; organisation = nextOrganisation(connection(), kind, organisation)) {
			yield { kind, organisation };
			const pause = yieldIfDue();
			if (pause !== null) await pause;
		}
	}
}

async function isWorthBuilding(address: WordAddress, manifest: WordManifest | null, { folder, reads, freshMin }: WordMaintenanceParts): Promise<boolean> {
	const db = reads.connection();
	const hasTexts = (after: number, count: number) => hasMore(after, count, (from, step) => textFurther(db, address, from, step));
	const hasChanges = (after: number, count: number) => hasMore(after, count, (from, step) => changeFurther(db, address, from, step));
	if (manifest === null || !areChangesKept(db, manifest.lastChange)) return hasTexts(0, freshMin);
	// Rebuild it long before changes that it has not read are deleted from the log.
	if (newestChange(db) - manifest.lastChange > changesKept / 2) return true;
	const most = Math.max(freshMin, Math.ceil(manifest.texts * freshShare));
	if ((await hasTexts(manifest.lastKey, most)) || (await hasChanges(manifest.lastChange, most))) return true;
	// The file still has the words of a deleted text.
	return (await hasChanges(manifest.lastChange, 1)) && isErasureDue(manifest.generation, wordPaths(folder, address, "").manifest);
}

/** Whether at least `count` rows come after one. It counts in steps, because it runs in the thread that answers requests. */
async function hasMore(after: number, count: number, further: (from: number, count: number) => number | null): Promise<boolean> {
	let at: number | null = after;
	for (let left = count; left > 0 && at !== null; left -= countedPerStep) {
		at = further(at, Math.min(left, countedPerStep));
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	return at !== null;
}
