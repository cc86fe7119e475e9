/**
 * Scores texts for a query from 0 to 1, in the model's own process. Model errors are returned, not thrown, so that the process keeps the
 * model loaded.
 */

import type { Engine } from "cairn-memory";
import type { ModelFolder } from "../../local-models/model-folder.ts";
import { type Batch, openModel } from "../../local-models/run-model.ts";

export interface ScoreInput {
	readonly model: ModelFolder;
	readonly query: string;
	readonly candidates: readonly string[];
	readonly threads: number;
}

export type ScoreOutput = { readonly scores: readonly number[] } | { readonly modelError: string };

const engine: Engine<ScoreInput, ScoreOutput> = async ({ model, query, candidates, threads }) => {
	try {
		const { encoder, run } = await openModel(model, threads);
		return {
			scores: await run(
				candidates.map((candidate) => encoder.encodePair(query, candidate)),
				scoresOf,
			),
		};
	} catch (thrown) {
		return { modelError: thrown instanceof Error ? thrown.message : String(thrown) };
	}
};

export default engine;

/** One logit becomes a score by the sigmoid. Of two classes the second means "relevant"; their softmax is the sigmoid of the difference. */
export function scoresOf({ outputs, names, rows }: Pick<Batch, "outputs" | "names" | "rows">): readonly number[] {
	const output = outputs["logits"] ?? outputs[names[0] ?? ""];
	if (output === undefined || !(output.data instanceof Float32Array)) throw new Error("its output does not have the type float32");
	const { data } = output;
	const classes = data.length / rows;
	if (classes !== 1 && classes !== 2) throw new Error(`its output has ${classes} numbers per text; a cross-encoder has 1 or 2`);
	return Array.from({ length: rows }, (_, row) => {
		const logit = classes === 1 ? (data[row] ?? Number.NaN) : (data[row * 2 + 1] ?? Number.NaN) - (data[row * 2] ?? Number.NaN);
		if (Number.isNaN(logit)) throw new Error("its output has a value that is not a number");
		return 1 / (1 + Math.exp(-logit));
	});
}
