/** Copies everything readable from a damaged data folder into a new one, with the same ids. The damaged folder is not changed. */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { DamagedStore } from "../../core/plugin/contract/folder-tools.ts";
import type { StoreTools } from "../backup/store-tools.ts";
import { type ImportResult, importLines } from "../export/import-lines.ts";
import { openStore } from "../export/open-store.ts";
import type { Settings } from "../settings/settings.ts";
import { type Loss, salvagedLines } from "./salvaged-lines.ts";

export interface SalvagePlan {
	readonly settings: Settings;
	readonly config: Config;
	readonly store: StoreTools;
	/** The damaged data folder. */
	readonly from: string;
	/** The new data folder: a path that does not exist, or an empty folder. */
	readonly to: string;
	readonly onProgress: (done: number, total: number) => void;
}

export interface SalvageResult extends ImportResult {
	readonly losses: readonly Loss[];
}

/** @throws ServiceError `DATA_DIR_UNUSABLE`, `STORAGE_DAMAGED` if nothing can be read */
export async function salvage({ settings, config, store, from, to, onProgress }: SalvagePlan): Promise<SalvageResult> {
	if ((await readdir(to).catch(() => [])).length > 0)
		throw fail("DATA_DIR_UNUSABLE", to, "salvage writes into an empty folder, so that nothing is overwritten");
	const temporaryFolder = await mkdtemp(join(tmpdir(), "cairn-salvage-"));
	try {
		const damaged = await store.tables.openDamaged(join(from, store.folder), temporaryFolder);
		try {
			await mkdir(to, { recursive: true, mode: 0o700 });
			await using openedStore = await openStore({ ...settings, dataDir: to }, config);
			return await copyReadable(damaged, openedStore.parts);
		} finally {
			await damaged.close();
		}
	} finally {
		await rm(temporaryFolder, { recursive: true, force: true });
	}

	/** The organisation keeps its id, since original files are stored under it. */
	async function copyReadable(damaged: DamagedStore, parts: Parameters<typeof importLines>[1]["parts"]): Promise<SalvageResult> {
		const { organisation } = damaged;
		await parts.storage.accounts.addOrganisation({ id: organisation, name: "Default", slug: "default", createdAt: parts.world.now() });
		const { blobs } = parts.storage.organisation(organisation);
		const losses: Loss[] = [];
		const copyAndGet = async (key: string) => {
			await store.blobs?.copy(join(from, store.folder), join(to, store.folder), { organisation, key });
			return blobs.get(key);
		};
		const lines = salvagedLines({ damaged, blobs: { get: copyAndGet }, onLoss: (loss) => losses.push(loss), onProgress });
		return { ...(await importLines(lines, { parts, organisation })), losses };
	}
}
