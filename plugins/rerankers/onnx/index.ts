/**
 * Cross-encoders on this machine: every folder in the models folder with a model that scores pairs of texts becomes a reranker with the
 * folder's name.
 */

import { definePlugin, fail, type Host, type OwnProcess, type Reranker } from "cairn-memory";
import { askModel } from "../../local-models/ask-model.ts";
import { type LocalOptions, localOptions, startModels, withModelsDir } from "../../local-models/local-options.ts";
import type { ModelFolder } from "../../local-models/model-folder.ts";
import type { ScoreInput, ScoreOutput } from "./engine.ts";

const engine = new URL("./engine.ts", import.meta.url);
/** The model reads each candidate together with the query, and a search waits for all of them. */
const candidatesMax = 50;

export default definePlugin({
	name: "reranker-onnx",
	contract: 1,
	options: localOptions,
	configure: withModelsDir,
	start: async (options, host) => {
		const { started, stop } = await startModels("reranker", options, host, start);
		return started.length === 0 ? {} : { reranker: started.map(({ reranker }) => reranker), stop };
	},
});

/** Makes a reranker of a model folder. The process of the model starts with the first query. */
function start(model: ModelFolder, options: LocalOptions, host: Host): { readonly reranker: Reranker; readonly process: OwnProcess } {
	const { name } = model;
	const process = host.ownProcess({ idleMs: options.idleMs });
	const reranker: Reranker = {
		name,
		candidatesMax,
		score: async (query, candidates, { signal }) => {
			if (candidates.length === 0) return [];
			const input: ScoreInput = { model, query, candidates, threads: options.threads };
			const output = await askModel<ScoreInput, ScoreOutput>(process, name, { engine, input, signal }, options);
			if ("modelError" in output) throw fail("MODEL_FOLDER_BROKEN", name, output.modelError);
			return output.scores;
		},
	};
	return { reranker, process };
}
