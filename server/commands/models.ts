/** `cairn models list | pull NAME… | verify [NAME…] | remove NAME`: the local models of this machine. */

import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import { isInstalled } from "../boot/import-plugin.ts";
import { createGuardedDownload, createGuardedFetch } from "../boot/network/guarded-fetch.ts";
import { createWorld } from "../boot/world.ts";
import { knownModels, modelNamed } from "../models/known-models.ts";
import { type Locks, readLocks } from "../models/lock-file.ts";
import { type PullParts, pullModel } from "../models/pull-model.ts";
import { verifyModel } from "../models/verify-model.ts";
import type { Settings } from "../settings/settings.ts";

export interface CommandPlace {
	readonly write: (text: string) => void;
	/** Whether a line can be written over. */
	readonly isTerminal: boolean;
	readonly signal: AbortSignal;
	/** For tests, whose pauses are short. */
	readonly world?: PullParts["world"];
}

type Where = Pick<Settings, "modelsDir" | "modelsUrl" | "fetchAllow">;

const usage = "cairn models list, cairn models pull NAME… [update], cairn models verify [NAME…] or cairn models remove NAME";
/** The largest of the known has 2.3 GB. */
const bytesMax = 8 * 1024 ** 3;
const runtime = "onnxruntime-node";

/** @returns the exit code. */
export async function modelsCommand([action = "list", ...names]: readonly string[], where: Where, place: CommandPlace): Promise<number> {
	if (action === "list") return list(where, place);
	if (action === "verify") return verify(names, where, place);
	if (action === "pull" && names.length > 0) return pull(names, where, place);
	const [name, ...others] = names;
	if (action === "remove" && name !== undefined && others.length === 0) return remove(name, where, place);
	throw fail("COMMAND_INVALID", `it is called as ${usage}`);
}

async function list({ modelsDir }: Where, { write }: CommandPlace): Promise<number> {
	const locks = await readLocks(modelsDir);
	const here = await foldersIn(modelsDir);
	write(`models in ${modelsDir}\n\n`);
	for (const { name, kind, languages, licence } of knownModels) write(row([name, kind, languages, licence, stateOf(name, here, locks)]));
	for (const name of here.filter((folder) => !knownModels.some((known) => known.name === folder))) write(row([name, "", "", "", stateOf(name, here, locks)]));
	if (here.length === 0) write(`\nfetch one with: cairn models pull ${knownModels[0]?.name ?? "NAME"}\n`);
	write(hintOfRuntime(here.length > 0));
	return 0;
}

function stateOf(name: string, here: readonly string[], locks: Locks): string {
	if (!here.includes(name)) return "not here";
	const locked = locks[name];
	if (locked === undefined) return "here, put there by hand";
	return `here, ${mb(locked.files.reduce((sum, { bytes }) => sum + bytes, 0))} MB`;
}

async function pull(names: readonly string[], where: Where, place: CommandPlace): Promise<number> {
	const update = names.includes("update");
	const models = names.filter((name) => name !== "update").map(demandModel);
	const allow = [...where.fetchAllow, new URL(where.modelsUrl).host];
	const log = () => undefined;
	const hub = { address: where.modelsUrl, fetch: createGuardedFetch({ allow, log }) };
	const download = createGuardedDownload({ allow, log });
	const world = place.world ?? createWorld({ log });
	for (const model of models) {
		place.write(`${model.name} from ${model.repository}\n`);
		const progress = createProgress(place);
		const locked = await pullModel(model, { folder: where.modelsDir, hub, download, world, update, bytesMax, progress, signal: place.signal });
		const bytes = locked.files.reduce((sum, file) => sum + file.bytes, 0);
		place.write(`${model.name} is here: ${locked.files.length} files, ${mb(bytes)} MB, revision ${locked.revision.slice(0, 12)}\n`);
	}
	place.write(hintOfRuntime(true));
	place.write(`a server that runs finds them at its next start; then: cairn embedder use ${models[0]?.name ?? "NAME"}\n`);
	return 0;
}

function demandModel(name: string) {
	const model = modelNamed(name);
	if (model === null) throw fail("MODEL_UNKNOWN", name, knownModels.map((known) => known.name).join(", "));
	return model;
}

/** In a terminal one line that moves, elsewhere a line for every tenth. */
function createProgress({ write, isTerminal }: CommandPlace): PullParts["progress"] {
	let reported = -1;
	return (done, total) => {
		const step = isTerminal ? 1 : 10;
		const percent = total === 0 ? 100 : Math.floor((done / total) * (100 / step)) * step;
		if (percent === reported) return;
		reported = percent;
		write(isTerminal ? `\r  ${percent} % of ${mb(total)} MB${percent === 100 ? "\n" : ""}` : `  ${percent} % of ${mb(total)} MB\n`);
	};
}

async function verify(names: readonly string[], { modelsDir }: Where, { write }: CommandPlace): Promise<number> {
	const [locks, here] = [await readLocks(modelsDir), await foldersIn(modelsDir)];
	const wanted = names.length > 0 ? names : here;
	let isSound = true;
	for (const name of wanted) {
		const locked = locks[name];
		const faults =
			locked === undefined ? ["nothing is known about it: it was not fetched by cairn models pull"] : await verifyModel(join(modelsDir, name), locked);
		// A model that was put there by hand has no recorded hashes; asked for by name, that is an error.
		if (faults.length > 0 && (locked !== undefined || names.length > 0)) isSound = false;
		write(faults.length === 0 ? `${name}: all ${locked?.files.length ?? 0} files are as they were fetched\n` : `${name}: ${faults.join("; ")}\n`);
	}
	if (wanted.length === 0) write(`there are no models in ${modelsDir}\n`);
	return isSound ? 0 : 1;
}

async function remove(name: string, { modelsDir }: Where, { write }: CommandPlace): Promise<number> {
	if (!(await foldersIn(modelsDir)).includes(name)) throw fail("MODEL_UNKNOWN", name, (await foldersIn(modelsDir)).join(", "));
	await rm(join(modelsDir, name), { recursive: true, force: true });
	write(`${name} is removed; what it was is remembered, so that it comes back the same\n`);
	return 0;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
	if (!existsSync(folder)) return [];
	if (!(await stat(folder)).isDirectory()) throw new ServiceError("SETTING_INVALID", ["CAIRN_MODELS_DIR", "it should be a folder"]);
	const entries = await readdir(folder, { withFileTypes: true });
	return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : [])).toSorted();
}

function hintOfRuntime(isWanted: boolean): string {
	if (!isWanted || isInstalled(runtime)) return "";
	return `\nthe package that runs them is not installed yet: bun add --no-save ${runtime}@1.30.0\n`;
}

function row([name = "", kind = "", languages = "", licence = "", state = ""]: readonly string[]): string {
	return `  ${name.padEnd(24)} ${kind.padEnd(11)} ${languages.padEnd(9)} ${licence.padEnd(11)} ${state}\n`;
}

function mb(bytes: number): number {
	return Math.ceil(bytes / 1024 ** 2);
}
