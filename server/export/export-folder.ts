/** Data folder → one file of lines, as of one moment, also while a server has the folder open: what is read is a copy of its tables. */

import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Config } from "../../core/plugin/config.ts";
import { copyStore, type StoreTools } from "../backup/store-tools.ts";
import { settled } from "../backup/write-backup.ts";
import type { Settings } from "../settings/settings.ts";
import { version } from "../version.ts";
import { lineWriter } from "./line-file.ts";
import { bodyLine, type Counts, counted, exportFormat } from "./lines.ts";
import { openStore } from "./open-store.ts";
import { type Lines, readStore } from "./read-store.ts";

export interface ExportPlan {
	readonly settings: Settings;
	readonly config: Config;
	/** Null for a storage that keeps no folder: that is read itself. */
	readonly store: StoreTools | null;
	readonly tell: (done: number, total: number) => void;
}

/** It is written in a new folder beside its target, then moved. */
export async function exportFolder(path: string, { settings, config, store, tell }: ExportPlan): Promise<Counts> {
	const workplace = await mkdtemp(`${path}.unfinished-`);
	try {
		const copy = join(workplace, "copy");
		if (store !== null) {
			await mkdir(join(copy, store.folder), { recursive: true, mode: 0o700 });
			await copyStore(store, join(settings.dataDir, store.folder), join(copy, store.folder));
		}
		await using opened = await openStore(store === null ? settings : { ...settings, dataDir: copy, upgradeBackupDays: 0 }, config);
		const { parts, organisation } = opened;
		const lines = organisation === null ? nothing() : readStore(parts.storage.organisation(organisation), parts.world.now(), tell);
		const counts = await writeExport(join(workplace, "export"), lines, parts.world.now());
		await settled(join(workplace, "export"), path);
		return counts;
	} finally {
		await rm(workplace, { recursive: true, force: true });
	}
}

async function* nothing(): Lines {}

/** Only its first line tells when it was made. */
export async function writeExport(path: string, lines: Lines, now: Date): Promise<Counts> {
	const counts = Object.fromEntries(counted.map((type) => [type, 0])) as Record<keyof Counts, number>;
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
