/** The options of the plugins that run local models, and whether their runtime is installed. */

import { availableParallelism } from "node:os";
import type { Configure, Host, Log, OwnProcess } from "cairn-memory";
import { z } from "zod";
import { type ModelFolder, modelFolders } from "./model-folder.ts";

/** The ONNX runtime, a large optional native library. */
export const runtimePackage = "onnxruntime-node";

export const localOptions = z.strictObject({
	/** The folder with one folder per model; without it there are no models. */
	folder: z.string().min(1).optional(),
	/** Threads of a model; by default half of the cores, so that the server has the others. */
	threads: z
		.number()
		.int()
		.min(1)
		.max(64)
		.default(Math.max(1, Math.floor(availableParallelism() / 2))),
	/** Memory of one process, including the model. */
	memoryMb: z.number().int().min(128).default(4_096),
	timeoutMs: z.number().int().min(100).default(300_000),
	/** How long a model stays loaded after its last use. */
	idleMs: z.number().int().min(0).default(600_000),
});

/** The models folder of the server, unless the config file names another. */
export const withModelsDir: Configure = (fileOptions, { modelsDir }) => ({ options: { folder: modelsDir, ...fileOptions } });

export type LocalOptions = z.output<typeof localOptions>;

/** @returns false, with a warning in the log, if there are models but the runtime is not installed. */
export function hasRuntime(models: readonly unknown[], log: Log): boolean {
	if (models.length === 0) return true;
	try {
		import.meta.resolve(runtimePackage);
		return true;
	} catch {
		log("warn", `there are models, but the package ${runtimePackage} is not installed; "cairn models" says how to install it`, { models: models.length });
		return false;
	}
}

/** Starts every model of a kind in the models folder. @returns nothing where there is no folder, or no runtime */
export async function startModels<Started extends { readonly process: OwnProcess }>(
	kind: Parameters<typeof modelFolders>[1],
	options: LocalOptions,
	host: Host,
	start: (model: ModelFolder, options: LocalOptions, host: Host) => Promise<Started> | Started,
): Promise<{ readonly started: readonly Started[]; readonly stop: () => Promise<void> }> {
	const onUnusable = (name: string, reason: string) => host.log("warn", "a model folder cannot be used", { model: name, reason });
	const models = options.folder === undefined ? [] : await modelFolders(options.folder, kind, onUnusable);
	const started = hasRuntime(models, host.log) ? await Promise.all(models.map((model) => start(model, options, host))) : [];
	return { started, stop: async () => void (await Promise.all(started.map(({ process }) => process.close()))) };
}
