/** Erases data from a data folder that no server has open. To prove it, every remaining file is searched for traces of the erased data. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../core/plugin/config.ts";
import { removeLeftovers } from "../backup/staging.ts";
import type { StoreTools } from "../backup/store-tools.ts";
import { removeUpgradeBackups } from "../backup/upgrade-backup.ts";
import { openStore } from "../export/open-store.ts";
import { readStore } from "../export/read-store.ts";
import type { Settings } from "../settings/settings.ts";
import { type EraseCounts, type ErasureStart, eraseData } from "./erase-data.ts";
import { markFolderAsShared, type SearchedFile, searchFolder } from "./search-folder.ts";
import { createTraces, type Traces } from "./traces.ts";

export interface ErasePlan {
	readonly settings: Settings;
	readonly config: Config;
	readonly store: StoreTools;
	/** The name of a container, or the id or customId of a document. */
	readonly name: string;
	readonly withProof: boolean;
}

export interface Proof {
	/** The number of pieces of erased data that were searched for. */
	readonly searchedPieces: number;
	/** The number of other pieces: those that also occur in the remaining data. */
	readonly sharedPieces: number;
	readonly files: readonly SearchedFile[];
}

/** The file that contains the name while the erasure runs. If the process is killed, the same command continues. */
const unfinishedFileName = "erase-unfinished";
/** Folders that contain no user data and are not searched. */
const skippedFolders = ["models"];

/** @throws ServiceError */
export async function erase(plan: ErasePlan): Promise<EraseCounts & { readonly proof: Proof | null }> {
	const { settings, store, name, withProof } = plan;
	const { dataDir } = settings;
	const unfinishedFile = join(dataDir, unfinishedFileName);
	const traces = createTraces();
	const wasInterrupted = (await readFile(unfinishedFile, "utf8").catch(() => null)) === name;
	const counts = await eraseInStore(plan, traces, { wasInterrupted, begin: () => writeFile(unfinishedFile, name, { mode: 0o600 }) });
	await store.tables.scrub(join(dataDir, store.folder));
	await removeUpgradeBackups(dataDir);
	await removeLeftovers(dataDir, () => true);
	await rm(unfinishedFile, { force: true });
	return { ...counts, proof: withProof ? await prove(plan, traces) : null };
}

async function prove(plan: ErasePlan, traces: Traces): Promise<Proof> {
	await markEmptyStoreAsShared(plan, traces);
	const { all, own } = traces.counts();
	return { searchedPieces: own, sharedPieces: all - own, files: await Array.fromAsync(searchFolder(plan.settings.dataDir, traces, skippedFolders)) };
}

async function eraseInStore({ settings, config, name, withProof }: ErasePlan, traces: Traces, start: ErasureStart): Promise<EraseCounts> {
	await using openedStore = await openStore(settings, config);
	const { parts } = openedStore;
	const organisation = await openedStore.ensureOrganisation();
	const counts = await eraseData(name, organisation, parts, traces, start);
	const tenant = parts.storage.organisation(organisation);
	if (!withProof) return counts;
	for await (const line of readStore(tenant, parts.world.now(), () => undefined)) {
		// Both the whole line and each of its strings count as remaining data. The content of a file is decoded from base64.
		traces.markAsShared(line.type === "file" ? Buffer.from(line.data, "base64") : Buffer.from(JSON.stringify(line)));
		for (const text of stringsIn(line)) traces.markAsShared(Buffer.from(text));
	}
	return counts;
}

function* stringsIn(value: unknown): Generator<string> {
	if (typeof value === "string") yield value;
	else if (typeof value === "object" && value !== null) for (const child of Object.values(value)) yield* stringsIn(child);
}

/** Marks what an empty store contains, such as the names of tables and settings, as remaining data. */
async function markEmptyStoreAsShared({ settings, config, store }: ErasePlan, traces: Traces): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-erase-"));
	try {
		await mkdir(join(folder, store.folder), { recursive: true });
		await (await openStore({ ...settings, dataDir: folder }, config))[Symbol.asyncDispose]();
		await markFolderAsShared(folder, traces);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
