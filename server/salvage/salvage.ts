/** Damaged data folder → new data folder, with what can be read, under the same ids. The damaged one is left as it is. */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "../../core/errors/fail.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { DamagedStore } from "../../core/plugin/contract/folder-tools.ts";
import type { StoreTools } from "../backup/store-tools.ts";
import { type Imported, importLines } from "../export/import-lines.ts";
import { openStore } from "../export/open-store.ts";
import type { Settings } from "../settings/settings.ts";
import { type Loss, salvagedLines } from "./salvaged-lines.ts";

export interface SalvagePlan {
	readonly settings: Settings;
	readonly config: Config;
	readonly store: StoreTools;
	/** The damaged data folder. */
	readonly from: string;
	/** A missing or an empty one. */
	readonly to: string;
	readonly tell: (done: number, total: number) => void;
}

export interface Salvaged extends Imported {
	readonly losses: readonly Loss[];
}

/** @throws ServiceError `DATA_DIR_UNUSABLE`, `STORAGE_DAMAGED` where nothing can be read */
export async function salvage({ settings, config, store, from, to, tell }: SalvagePlan): Promise<Salvaged> {
	if ((await readdir(to).catch(() => [])).length > 0)
		throw fail("DATA_DIR_UNUSABLE", to, "what is salvaged goes into an empty folder, so that nothing is overwritten");
	const workplace = await mkdtemp(join(tmpdir(), "cairn-salvage-"));
	try {
		const damaged = await store.tables.openDamaged(join(from, store.folder), workplace);
		try {
			await mkdir(to, { recursive: true, mode: 0o700 });
			await using opened = await openStore({ ...settings, dataDir: to }, config);
			return await fill(damaged, opened.parts);
		} finally {
			await damaged.close();
		}
	} finally {
		await rm(workplace, { recursive: true, force: true });
	}

	/** The organisation keeps its id, since originals lie under it. */
	async function fill(damaged: DamagedStore, parts: Parameters<typeof importLines>[1]["parts"]): Promise<Salvaged> {
		const { organisation } = damaged;
		await parts.storage.accounts.addOrganisation({ id: organisation, name: "Default", slug: "default", createdAt: parts.world.now() });
		const { blobs } = parts.storage.organisation(organisation);
		const losses: Loss[] = [];
		const brought = async (key: string) => {
			await store.blobs?.copy(join(from, store.folder), join(to, store.folder), { organisation, key });
			return blobs.get(key);
		};
		const lines = salvagedLines({ damaged, blobs: { get: brought }, note: (loss) => losses.push(loss), tell });
		return { ...(await importLines(lines, { parts, organisation })), losses };
	}
}
