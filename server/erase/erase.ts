/** Erases data that no server uses. To prove it, every remaining file, table and blob is searched for traces of the erased data. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrganisationId } from "../../core/model/id.ts";
import type { Parts } from "../../core/parts.ts";
import type { Config } from "../../core/plugin/config.ts";
import { removeLeftovers } from "../backup/staging.ts";
import type { StoreTools } from "../backup/store-tools.ts";
import { removeUpgradeBackups } from "../backup/upgrade-backup.ts";
import { defaultParts } from "../boot/builtin-plugins.ts";
import { openStore } from "../export/open-store.ts";
import { readStore } from "../export/read-store.ts";
import type { Settings } from "../settings/settings.ts";
import { type EraseCounts, type ErasureStart, eraseData } from "./erase-data.ts";
import { markFolderAsShared, type Searched, searchFolder, searchOutside, searchTables } from "./search-folder.ts";
import { createTraces, type Traces } from "./traces.ts";
import { unfinishedErasures } from "./unfinished.ts";

export interface ErasePlan {
	readonly settings: Settings;
	readonly config: Config;
	/** Null if the storage keeps its data outside the data folder. */
	readonly store: StoreTools | null;
	/** The id or name of an organisation; null for the first one. */
	readonly organisation: string | null;
	/** The name of a container, or the id or customId of a document. */
	readonly name: string;
	/** What the proof looks for as well. */
	readonly given: readonly GivenText[];
	readonly withProof: boolean;
}

export interface GivenText {
	/** What it is called in the proof. */
	readonly label: string;
	readonly text: string;
}

export interface Proof {
	/** The number of pieces of erased data that were searched for. */
	readonly searchedPieces: number;
	/** The number of other pieces: those that also occur in the remaining data. */
	readonly sharedPieces: number;
	readonly searched: readonly Searched[];
}

/** Folders that contain no user data and are not searched. */
const skippedFolders = ["models"];

/** @throws ServiceError */
export async function erase(plan: ErasePlan): Promise<EraseCounts & { readonly proof: Proof | null }> {
	const { settings, store, withProof } = plan;
	const { dataDir } = settings;
	const unfinished = await unfinishedErasures(dataDir);
	const traces = tracesOf(plan);
	// Earlier versions did not write the organisation.
	const targets = plan.organisation === null ? [plan.name] : [];
	const counts = await eraseInStore(plan, traces, (organisation) => {
		const target = `${organisation} ${plan.name}`;
		targets.unshift(target);
		const [blobs = null] = targets.map(unfinished.blobsOf).filter((found) => found !== null);
		return { wasInterrupted: blobs !== null, blobs: blobs ?? [], begin: (keys) => unfinished.begin(target, keys) };
	});
	await store?.tables.scrub(join(dataDir, store.folder));
	await removeUpgradeBackups(dataDir);
	await removeLeftovers(dataDir);
	await unfinished.end(targets);
	return { ...counts, proof: withProof ? await prove(plan, traces) : null };
}

/** Looks for what was deleted before. Nothing is deleted. @throws ServiceError */
export async function lookForDeleted(plan: Omit<ErasePlan, "name" | "withProof" | "organisation">): Promise<Proof> {
	const traces = tracesOf(plan);
	{
		await using openedStore = await openStore(plan.settings, plan.config);
		await markRemainingAsShared(openedStore.parts, traces);
	}
	return prove(plan, traces);
}

function tracesOf({ given }: Pick<ErasePlan, "given">): Traces {
	const traces = createTraces();
	for (const { text, label } of given) traces.addGiven(text, label);
	return traces;
}

async function prove(plan: Pick<ErasePlan, "settings" | "config" | "store" | "given">, traces: Traces): Promise<Proof> {
	const { settings, config, store, given } = plan;
	await markEmptyStoreAsShared(plan, traces);
	const { all, own } = traces.counts();
	const inFolder = await Array.fromAsync(searchFolder(settings.dataDir, traces, skippedFolders));
	// A file tells only that a text is there. Whether it is still in a row, and in a row of what, the tables tell.
	const inTables =
		store === null || given.length === 0 ? [] : await Array.fromAsync(searchTables(store.tables.read(join(settings.dataDir, store.folder)), traces));
	return { searchedPieces: own, sharedPieces: all - own, searched: [...inFolder, ...inTables, ...(await searchElsewhere())] };

	async function searchElsewhere(): Promise<readonly Searched[]> {
		const hasOwnBlobs = store !== null && store.blobs !== null;
		if (hasOwnBlobs) return [];
		await using openedStore = await openStore(settings, config);
		return Array.fromAsync(searchOutside(openedStore.parts.storage, traces));
	}
}

async function eraseInStore(plan: ErasePlan, traces: Traces, startOf: (organisation: OrganisationId) => ErasureStart): Promise<EraseCounts> {
	await using openedStore = await openStore(plan.settings, plan.config, plan.organisation);
	const { parts } = openedStore;
	const organisation = await openedStore.ensureOrganisation();
	const counts = await eraseData(plan.name, organisation, parts, traces, startOf(organisation));
	if (plan.withProof) await markRemainingAsShared(parts, traces);
	return counts;
}

async function markRemainingAsShared({ storage, world }: Parts, traces: Traces): Promise<void> {
	for (const { id } of await storage.accounts.organisations())
		for await (const line of readStore(storage.organisation(id), world.now(), () => undefined)) {
			// Both the whole line and each of its strings count as remaining data. The content of a file is decoded from base64.
			traces.markAsShared(line.type === "file" ? Buffer.from(line.data, "base64") : Buffer.from(JSON.stringify(line)));
			for (const text of stringsIn(line)) traces.markAsShared(Buffer.from(text));
		}
}

function* stringsIn(value: unknown): Generator<string> {
	if (typeof value === "string") yield value;
	else if (typeof value === "object" && value !== null) for (const child of Object.values(value)) yield* stringsIn(child);
}

/**
 * Marks what an empty store contains, such as the names of tables and settings, as remaining data. In place of an empty database there is an
 * empty folder, whose tables and statements are the same.
 */
async function markEmptyStoreAsShared({ settings, config, store }: Pick<ErasePlan, "settings" | "config" | "store">, traces: Traces): Promise<void> {
	const inFolder = store === null ? { use: { ...settings.use, storage: defaultParts.storage, blobStore: null }, config: {} } : { use: settings.use, config };
	const folder = await mkdtemp(join(tmpdir(), "cairn-erase-"));
	try {
		if (store !== null) await mkdir(join(folder, store.folder), { recursive: true });
		await (await openStore({ ...settings, use: inFolder.use, dataDir: folder }, inFolder.config))[Symbol.asyncDispose]();
		await markFolderAsShared(folder, traces);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
