/** Embeds texts as unit vectors, in the model's own process. Model errors are returned, not thrown, so that the process keeps the model loaded. */

import type { Engine, Vector } from "cairn-memory";
import type { ModelFolder } from "../../local-models/model-folder.ts";
import { type Batch, openModel } from "../../local-models/run-model.ts";
import { poolRows } from "./pool-rows.ts";

export interface EmbedInput {
	readonly model: ModelFolder;
	readonly texts: readonly string[];
	readonly threads: number;
}

export type EmbedOutput = { readonly vectors: readonly Vector[] } | { readonly modelError: string };

const engine: Engine<EmbedInput, EmbedOutput> = async ({ model, texts, threads }, report) => {
	try {
		const { encoder, run } = await openModel(model, threads);
		const encoded = texts.map((text) => encoder.encode(text));
		const pool = (batch: Batch) => poolRows(batch, model);
		return { vectors: await run(encoded, pool, (done) => report({ done, total: texts.length, unit: "chunk" })) };
	} catch (thrown) {
		return { modelError: thrown instanceof Error ? thrown.message : String(thrown) };
	}
};

export default engine;
