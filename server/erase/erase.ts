/** Erases from a data folder that no server has open, and proves it: what was erased is looked for in every file that is left. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../core/plugin/config.ts";
import type { StoreTools } from "../backup/store-tools.ts";
import { removeUpgradeBackups } from "../backup/upgrade-backup.ts";
import { openStore } from "../export/open-store.ts";
import { readStore } from "../export/read-store.ts";
import type { Settings } from "../settings/settings.ts";
import { type Beginning, type Erased, eraseData } from "./erase-data.ts";
import { type SearchedFile, searchFolder, shareFolder } from "./search-folder.ts";
import { createTraces, type Traces } from "./traces.ts";

export interface ErasePlan {
	readonly settings: Settings;
	readonly config: Config;
	readonly store: StoreTools;
	/** Of a container or a document. */
	readonly name: string;
	readonly isProved: boolean;
}

export interface Proof {
	/** How many pieces were looked for, and how many more are in what stays too. */
	readonly lookedFor: number;
	readonly shared: number;
	readonly files: readonly SearchedFile[];
}

/** Holds the name while the erasure is under way: after a kill the same call goes on. */
const markName = "erase-unfinished";
/** Fetched from a hub, or made anew. */
const notOurs = ["models"];

/** @throws ServiceError */
export async function erase(plan: ErasePlan): Promise<Erased & { readonly proof: Proof | null }> {
	const { settings, store, name, isProved } = plan;
	const { dataDir } = settings;
	const mark = join(dataDir, markName);
	const traces = createTraces();
	const isBegun = (await readFile(mark, "utf8").catch(() => null)) === name;
	const erased = await eraseInStore(plan, traces, { isBegun, begin: () => writeFile(mark, name, { mode: 0o600 }) });
	await store.tables.scrub(join(dataDir, store.folder));
	await removeUpgradeBackups(dataDir);
	await rm(mark, { force: true });
	return { ...erased, proof: isProved ? await prove(plan, traces) : null };
}

async function prove(plan: ErasePlan, traces: Traces): Promise<Proof> {
	await shareEmptyStore(plan, traces);
	const { all, own } = traces.count();
	return { lookedFor: own, shared: all - own, files: await Array.fromAsync(searchFolder(plan.settings.dataDir, traces, notOurs)) };
}

async function eraseInStore({ settings, config, name, isProved }: ErasePlan, traces: Traces, beginning: Beginning): Promise<Erased> {
	await using opened = await openStore(settings, config);
	const { parts } = opened;
	const organisation = await opened.ensureOrganisation();
	const erased = await eraseData(name, organisation, parts, traces, beginning);
	const tenant = parts.storage.organisation(organisation);
	if (!isProved) return erased;
	for await (const line of readStore(tenant, parts.world.now(), () => undefined)) {
		// As it is stored, and as its texts are by themselves; a file is in it as base64.
		traces.share(line.type === "file" ? Buffer.from(line.data, "base64") : Buffer.from(JSON.stringify(line)));
		for (const text of textsIn(line)) traces.share(Buffer.from(text));
	}
	return erased;
}

function* textsIn(value: unknown): Generator<string> {
	if (typeof value === "string") yield value;
	else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) yield* textsIn(one);
}

/** The words of tables, settings and the program itself. */
async function shareEmptyStore({ settings, config, store }: ErasePlan, traces: Traces): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-erase-"));
	try {
		await mkdir(join(folder, store.folder), { recursive: true });
		await (await openStore({ ...settings, dataDir: folder }, config))[Symbol.asyncDispose]();
		await shareFolder(folder, traces);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
