/** Sentence-embedding models on this machine: every folder in the models folder becomes an embedder with the folder's name. */

import { definePlugin, type Embedder, fail, type Host, type OwnProcess, type Step, type Vector } from "cairn-memory";
import { askModel } from "../../local-models/ask-model.ts";
import { type LocalOptions, localOptions, startModels, withModelsDir } from "../../local-models/local-options.ts";
import type { ModelFolder } from "../../local-models/model-folder.ts";
import { measuredCalibration } from "../measured-calibration.ts";
import type { EmbedInput, EmbedOutput } from "./engine.ts";
import type { FitsInput, FitsOutput } from "./fits-engine.ts";

const engine = new URL("./engine.ts", import.meta.url);
const fitsEngine = new URL("./fits-engine.ts", import.meta.url);
/** Large enough to group texts of similar length; small enough to report progress, and to lose little work if it is stopped. */
const batchMax = 64;
/** Typical values of models, used until the calibration is measured. */
const defaultCalibration = { unrelated: 0.3, related: 0.7, weight: 1 };

export default definePlugin({
	name: "embedder-onnx",
	contract: 1,
	options: localOptions,
	configure: withModelsDir,
	start: async (options, host) => {
		const { started, stop } = await startModels("embedder", options, host, start);
		return started.length === 0 ? {} : { embedder: started.map(({ embedder }) => embedder), stop };
	},
});

/** Makes an embedder of a model folder. The process of the model starts with the first text. */
async function start(model: ModelFolder, options: LocalOptions, host: Host): Promise<{ readonly embedder: Embedder; readonly process: OwnProcess }> {
	const { name, dimensions, fingerprint } = model;
	const process = host.ownProcess({ idleMs: options.idleMs });
	const space = `onnx ${name} ${fingerprint}`;
	const calibration = await measuredCalibration(space, defaultCalibration, host);

	async function ask(texts: readonly string[], purpose: "document" | "query", step: Step): Promise<readonly Vector[]> {
		const prompt = purpose === "query" ? model.queryPrompt : model.documentPrompt;
		const input: EmbedInput = { model, texts: texts.map((text) => prompt + text), threads: options.threads };
		const { signal } = step;
		const output = await askModel<EmbedInput, EmbedOutput>(process, name, { engine, input, signal }, options);
		if ("modelError" in output) throw fail("MODEL_FOLDER_BROKEN", name, output.modelError);
		return output.vectors;
	}

	const embedder: Embedder = {
		name,
		space: {
			name: space,
			dimensions,
			metric: "cosine",
			get calibration() {
				return calibration.current();
			},
		},
		batchMax,
		fits: async (texts, { signal }) => {
			const input: FitsInput = { model, texts: texts.map((text) => model.documentPrompt + text) };
			const output = await askModel<FitsInput, FitsOutput>(process, name, { engine: fitsEngine, input, signal }, options);
			if ("modelError" in output) throw fail("MODEL_FOLDER_BROKEN", name, output.modelError);
			return output.fits;
		},
		embed: async (texts, purpose, step) => {
			if (texts.length === 0) return [];
			await calibration.measureOnce((texts, purpose) => ask(texts, purpose, step));
			return ask(texts, purpose, step);
		},
	};
	return { embedder, process };
}
