/** Copies everything readable from a damaged data folder into a new one, with the same ids. The damaged folder is not changed. */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import type { DamagedOrganisation, DamagedStore } from "../../core/plugin/contract/folder-tools.ts";
import type { StoreTools } from "../backup/store-tools.ts";
import { type ImportResult, importLines } from "../export/import-lines.ts";
import { openStore } from "../export/open-store.ts";
import type { Settings } from "../settings/settings.ts";
import { type Loss, type SalvageSource, salvagedLines } from "./salvaged-lines.ts";

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

const kinds = ["document", "memory"] as const;

/** Of all organisations. @throws ServiceError `DATA_DIR_UNUSABLE`, `STORAGE_DAMAGED` if nothing can be read */
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

	async function copyReadable(damaged: DamagedStore, parts: Parts): Promise<SalvageResult> {
		const losses: Loss[] = kinds
			.filter((kind) => !damaged.isComplete(kind))
			.map((kind) => ({ kind, id: "without a readable id: there may be some", outcome: "lost" }));
		const total = damaged.organisations.reduce((sum, { ids }) => sum + ids("document").size + ids("memory").size, 0);
		let done = 0;
		const results: ImportResult[] = [];
		const tell = { onLoss: (loss: Loss) => void losses.push(loss), onDone: () => onProgress(++done, total) };
		for (const organisation of damaged.organisations)
			try {
				results.push(await copyOrganisation(organisation, parts, tell));
			} catch (thrown) {
				// A full disk is none of the damage; a value that is not what it should be must not stop the others.
				if (thrown instanceof ServiceError) throw thrown;
				tell.onLoss({ kind: "organisation", id: organisation.id, outcome: "broken off" });
			}
		const sum = (count: "documents" | "memories" | "known") => results.reduce((all, result) => all + result[count], 0);
		return {
			...{ documents: sum("documents"), memories: sum("memories"), known: sum("known") },
			refused: results.flatMap(({ refused }) => refused),
			losses,
		};
	}

	/** The organisation keeps its id, since original files are stored under it. One whose row cannot be read is called as its id. */
	async function copyOrganisation(damaged: DamagedOrganisation, parts: Parts, tell: Pick<SalvageSource, "onLoss" | "onDone">): Promise<ImportResult> {
		const { id: organisation, named, createdAt } = damaged;
		if (named === null) tell.onLoss({ kind: "organisation", id: organisation, outcome: "named as its id" });
		const { name, slug } = named ?? { name: organisation, slug: organisation.toLowerCase() };
		await parts.storage.accounts.addOrganisation({ id: organisation, name, slug, createdAt });
		if (named !== null) await parts.storage.accounts.setQuotas(organisation, named.quotas);
		const { blobs } = parts.storage.organisation(organisation);
		const copyAndGet = async (key: string) => {
			await store.blobs?.copy(join(from, store.folder), join(to, store.folder), { organisation, key });
			return blobs.get(key);
		};
		return importLines(salvagedLines({ damaged, blobs: { get: copyAndGet }, ...tell }), { parts, organisation });
	}
}
