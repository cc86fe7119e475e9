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

export interface ModelsCommandContext {
	readonly write: (text: string) => void;
	/** Whether the output is a terminal, so that a line can be overwritten. */
	readonly isTerminal: boolean;
	readonly signal: AbortSignal;
	/** Tests pass a world in which pauses are short. */
	readonly world?: PullParts["world"];
}

type ModelSettings = Pick<Settings, "modelsDir" | "modelsUrl" | "fetchAllow">;

const usage = "cairn models list, cairn models pull NAME… [update], cairn models verify [NAME…] or cairn models remove NAME";
/** The most bytes that are downloaded for a model; the largest known model has 2.3 GB. */
const modelBytesMax = 8 * 1024 ** 3;
const runtimePackage = "onnxruntime-node";

/** @returns the exit code. */
export async function modelsCommand([action = "list", ...names]: readonly string[], settings: ModelSettings, context: ModelsCommandContext): Promise<number> {
	if (action === "list") return list(settings, context);
	if (action === "verify") return verify(names, settings, context);
	if (action === "pull" && names.length > 0) return pull(names, settings, context);
	const [name, ...others] = names;
	if (action === "remove" && name !== undefined && others.length === 0) return remove(name, settings, context);
	throw fail("COMMAND_INVALID", `usage: ${usage}`);
}

async function list({ modelsDir }: ModelSettings, { write }: ModelsCommandContext): Promise<number> {
	const locks = await readLocks(modelsDir);
	const installed = await foldersIn(modelsDir);
	write(`models in ${modelsDir}\n\n`);
	for (const { name, kind, languages, licence } of knownModels) write(tableRow([name, kind, languages, licence, installState(name, installed, locks)]));
	for (const name of installed.filter((folder) => !knownModels.some((known) => known.name === folder)))
		write(tableRow([name, "", "", "", installState(name, installed, locks)]));
	if (installed.length === 0) write(`\ndownload one with: cairn models pull ${knownModels[0]?.name ?? "NAME"}\n`);
	write(runtimeHint(installed.length > 0));
	return 0;
}

function installState(name: string, installed: readonly string[], locks: Locks): string {
	if (!installed.includes(name)) return "not installed";
	const lock = locks[name];
	if (lock === undefined) return "installed by hand";
	return `installed, ${megabytes(lock.files.reduce((sum, { bytes }) => sum + bytes, 0))} MB`;
}

async function pull(names: readonly string[], settings: ModelSettings, context: ModelsCommandContext): Promise<number> {
	const update = names.includes("update");
	const models = names.filter((name) => name !== "update").map(requireModel);
	const allow = [...settings.fetchAllow, new URL(settings.modelsUrl).host];
	const log = () => undefined;
	const hub = { baseUrl: settings.modelsUrl, fetch: createGuardedFetch({ allow, log }) };
	const download = createGuardedDownload({ allow, log });
	const world = context.world ?? createWorld({ log });
	for (const model of models) {
		context.write(`${model.name} from ${model.repository}\n`);
		const progress = createProgress(context);
		const lock = await pullModel(model, {
			folder: settings.modelsDir,
			hub,
			download,
			world,
			update,
			bytesMax: modelBytesMax,
			progress,
			signal: context.signal,
		});
		const bytes = lock.files.reduce((sum, file) => sum + file.bytes, 0);
		context.write(`${model.name} is installed: ${lock.files.length} files, ${megabytes(bytes)} MB, revision ${lock.revision.slice(0, 12)}\n`);
	}
	context.write(runtimeHint(true));
	context.write(`a running server finds them after a restart; then run: cairn embedder use ${models[0]?.name ?? "NAME"}\n`);
	return 0;
}

function requireModel(name: string) {
	const model = modelNamed(name);
	if (model === null) throw fail("MODEL_UNKNOWN", name, knownModels.map((known) => known.name).join(", "));
	return model;
}

/** On a terminal one line that is overwritten, elsewhere a line for every ten per cent. */
function createProgress({ write, isTerminal }: ModelsCommandContext): PullParts["progress"] {
	let reportedPercent = -1;
	return (done, total) => {
		const step = isTerminal ? 1 : 10;
		const percent = total === 0 ? 100 : Math.floor((done / total) * (100 / step)) * step;
		if (percent === reportedPercent) return;
		reportedPercent = percent;
		write(isTerminal ? `\r  ${percent} % of ${megabytes(total)} MB${percent === 100 ? "\n" : ""}` : `  ${percent} % of ${megabytes(total)} MB\n`);
	};
}

async function verify(names: readonly string[], { modelsDir }: ModelSettings, { write }: ModelsCommandContext): Promise<number> {
	const [locks, installed] = [await readLocks(modelsDir), await foldersIn(modelsDir)];
	const checkedNames = names.length > 0 ? names : installed;
	let isEverythingUnchanged = true;
	for (const name of checkedNames) {
		const lock = locks[name];
		const faults =
			lock === undefined ? ["it cannot be checked, because it was not downloaded by cairn models pull"] : await verifyModel(join(modelsDir, name), lock);
		// A model that was installed by hand has no recorded hashes. That is an error only if the model was named.
		if (faults.length > 0 && (lock !== undefined || names.length > 0)) isEverythingUnchanged = false;
		write(faults.length === 0 ? `${name}: all ${lock?.files.length ?? 0} files are unchanged since the download\n` : `${name}: ${faults.join("; ")}\n`);
	}
	if (checkedNames.length === 0) write(`there are no models in ${modelsDir}\n`);
	return isEverythingUnchanged ? 0 : 1;
}

async function remove(name: string, { modelsDir }: ModelSettings, { write }: ModelsCommandContext): Promise<number> {
	if (!(await foldersIn(modelsDir)).includes(name)) throw fail("MODEL_UNKNOWN", name, (await foldersIn(modelsDir)).join(", "));
	await rm(join(modelsDir, name), { recursive: true, force: true });
	write(`${name} is removed; its revision stays recorded, so that "cairn models pull" installs the same version again\n`);
	return 0;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
	if (!existsSync(folder)) return [];
	if (!(await stat(folder)).isDirectory()) throw new ServiceError("SETTING_INVALID", ["CAIRN_MODELS_DIR", "it should be a folder"]);
	const entries = await readdir(folder, { withFileTypes: true });
	return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : [])).toSorted();
}

function runtimeHint(hasModels: boolean): string {
	if (!hasModels || isInstalled(runtimePackage)) return "";
	return `\nthe package that runs the models is not installed yet; install it with: bun add --no-save ${runtimePackage}@1.30.0\n`;
}

function tableRow([name = "", kind = "", languages = "", licence = "", state = ""]: readonly string[]): string {
	return `  ${name.padEnd(24)} ${kind.padEnd(11)} ${languages.padEnd(9)} ${licence.padEnd(11)} ${state}\n`;
}

function megabytes(bytes: number): number {
	return Math.ceil(bytes / 1024 ** 2);
}
