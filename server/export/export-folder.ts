/** Exports a data folder into one JSON Lines file. It reads a consistent copy of the store, so a server may have the folder open. */

import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../core/plugin/config.ts";
import { copyStore, type StoreTools } from "../backup/store-tools.ts";
import { syncAndRename } from "../backup/sync-files.ts";
import type { Settings } from "../settings/settings.ts";
import { version } from "../version.ts";
import { findOrganisation } from "./find-organisation.ts";
import { lineWriter } from "./line-file.ts";
import { bodyLine, type Counts, countedTypes, exportFormat } from "./lines.ts";
import { openStore } from "./open-store.ts";
import { type ExportLines, readStore } from "./read-store.ts";

export interface ExportPlan {
	readonly settings: Settings;
	readonly config: Config;
	/** Null if the storage keeps its data outside the data folder. Then it is read directly, without a copy. */
	readonly store: StoreTools | null;
	/** The id or name of an organisation; null for the first one. */
	readonly organisation: string | null;
	/** Called with the number of documents and memories that are done, and of all. */
	readonly onProgress: (done: number, total: number) => void;
}

export interface Exported {
	readonly counts: Counts;
	/** The names of the organisations that are not in it. */
	readonly others: readonly string[];
}

/** Writes the export in a temporary folder beside its target, then moves it. */
export async function exportFolder(path: string, { settings, config, store, organisation: wanted, onProgress }: ExportPlan): Promise<Exported> {
	// Before anything is copied, which may take long.
	if (store !== null && wanted !== null) findOrganisation(store.tables.organisations(join(settings.dataDir, store.folder)), wanted);
	const temporaryFolder = await mkdtemp(`${path}.unfinished-`);
	try {
		const copy = join(temporaryFolder, "copy");
		if (store !== null) {
			await mkdir(join(copy, store.folder), { recursive: true, mode: 0o700 });
			const into = join(copy, store.folder);
			await copyStore(store, join(settings.dataDir, store.folder), { tables: into, originals: into });
		}
		await using openedStore = await openStore(store === null ? settings : { ...settings, dataDir: copy, upgradeBackupDays: 0 }, config, wanted);
		const { parts, organisation, others } = openedStore;
		const lines = organisation === null ? noLines() : readStore(parts.storage.organisation(organisation), parts.world.now(), onProgress);
		const counts = await writeExport(join(temporaryFolder, "export"), lines, parts.world.now());
		await syncAndRename(join(temporaryFolder, "export"), path);
		return { counts, others };
	} finally {
		await rm(temporaryFolder, { recursive: true, force: true });
	}
}

async function* noLines(): ExportLines {}

/** The time of the export is only in its first line, which the checksum leaves out: equal data has an equal checksum. */
export async function writeExport(path: string, lines: ExportLines, now: Date): Promise<Counts> {
	const counts = Object.fromEntries(countedTypes.map((type) => [type, 0])) as Record<keyof Counts, number>;
	const file = await open(path, "wx", 0o600);
	try {
		const writer = lineWriter(file);
		await writer.write({ type: "cairn-export", format: exportFormat, version, createdAt: now.toISOString() });
		for await (const line of lines) {
			await writer.write(z.encode(bodyLine, line));
			if (line.type !== "settings") counts[line.type] += 1;
		}
		await writer.write({ type: "end", counts, sha256: writer.checksum() });
		await writer.end();
	} finally {
		await file.close();
	}
	return counts;
}
