/**
 * Tells whether training data hold something of an evaluation: `bun models/train/overlap.ts --data FOLDER --eval FOLDER…`, or
 * with `--trained FOLDER` in place of `--data` what a training really used. Ends with 1 when something is shared.
 */

import { parseArgs } from "node:util";
import { overlapOfCorpus, overlapOfData } from "./overlap/find-overlap.ts";

const { values } = parseArgs({ options: { data: { type: "string" }, trained: { type: "string" }, eval: { type: "string", multiple: true, default: [] } } });
if (values.eval.length === 0) throw new Error("say what to compare with: --eval FOLDER");
const overlaps = await find();
for (const { name, kind, texts, shared } of overlaps) if (shared > 0) console.log(`${kind}/${name}: ${shared} of ${texts}`);
const shared = overlaps.reduce((sum, overlap) => sum + overlap.shared, 0);
console.log(`${shared} of ${overlaps.reduce((sum, { texts }) => sum + texts, 0)} texts share a whole text, a sentence or eight words in a row`);
process.exitCode = shared > 0 ? 1 : 0;

function find(): ReturnType<typeof overlapOfData> {
	if (values.trained !== undefined) return overlapOfCorpus(`${values.trained}/checkpoints/corpus`, values.eval);
	if (values.data === undefined) throw new Error("say what to look through: --data FOLDER or --trained FOLDER");
	return overlapOfData(values.data, values.eval);
}
