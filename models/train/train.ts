/**
 * Trains the embedding model: `bun models/train/train.ts --data FOLDER --out FOLDER --seed N [--eval FOLDER]… [--set KEY=VALUE]…`.
 * What is done is kept in `FOLDER/checkpoints`, so that a run that was cut off goes on where it was.
 */

import { parseArgs } from "node:util";
import { defaultSettings, withChanges } from "./settings.ts";
import { trainModel } from "./train-model.ts";

const { values } = parseArgs({
	options: {
		data: { type: "string" },
		out: { type: "string" },
		seed: { type: "string", default: "1" },
		eval: { type: "string", multiple: true, default: [] },
		set: { type: "string", multiple: true, default: [] },
	},
});
if (values.data === undefined || values.out === undefined) throw new Error("say where the data are and where the model goes: --data FOLDER --out FOLDER");
const settings = { ...withChanges(defaultSettings, values.set), seed: Number(values.seed) };
const began = performance.now();
await trainModel({ data: values.data, out: values.out, evaluations: values.eval, settings, log: (line) => console.log(`${elapsed()} ${line}`) });

function elapsed(): string {
	return `${Math.round((performance.now() - began) / 1_000)} s`.padStart(7);
}
