/** The options of the plugins of local models, and whether they can run at all. */

import { availableParallelism } from "node:os";
import type { Configure, Log } from "cairn-memory";
import { z } from "zod";

/** The ONNX runtime, a large optional native library. */
export const runtimePackage = "onnxruntime-node";

export const localOptions = z.strictObject({
	/** Where the models' folders are; without one there is none. */
	folder: z.string().min(1).optional(),
	/** Half of the cores; the rest is for the server. */
	threads: z
		.number()
		.int()
		.min(1)
		.max(64)
		.default(Math.max(1, Math.floor(availableParallelism() / 2))),
	/** Of one process, the model included. */
	memoryMb: z.number().int().min(128).default(4_096),
	timeoutMs: z.number().int().min(100).default(300_000),
	/** How long a model stays loaded after its last question. */
	idleMs: z.number().int().min(0).default(600_000),
});

/** One that is listed with a folder has its own. */
export const withModelsDir: Configure = (given, { modelsDir }) => ({ options: { folder: modelsDir, ...given } });

export type LocalOptions = z.output<typeof localOptions>;

/** @returns whether the runtime is there; says so where models lie that cannot be run without. */
export function hasRuntime(models: readonly unknown[], log: Log): boolean {
	if (models.length === 0) return true;
	try {
		import.meta.resolve(runtimePackage);
		return true;
	} catch {
		log("warn", `models are there, but the package ${runtimePackage} is not installed; "cairn models" says how`, { models: models.length });
		return false;
	}
}
