/**
 * Writes the vectors of all words that candidate files have: `bun models/train/rerank/vectors.ts --table FILE --out FOLDER FOLDER…`, as
 * `words.json`, `vectors` (unit vectors, 32-bit) and `weights` (how much a word counts in a text).
 */

import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { decodeModel } from "../../../plugins/embedders/static/model.ts";
import { createPool } from "../../../plugins/embedders/static/pool.ts";

const { values: given, positionals } = parseArgs({ options: { table: { type: "string" }, out: { type: "string" } }, allowPositionals: true });
if (given.table === undefined || given.out === undefined) throw new Error("say which table and where to write: --table FILE --out FOLDER");
const words = new Set<string>();
for (const folder of positionals)
	for await (const file of new Bun.Glob("*/words.json").scan({ cwd: folder })) for (const word of await Bun.file(`${folder}/${file}`).json()) words.add(word);
const model = decodeModel(await Bun.file(given.table).bytes(), given.table);
const pool = createPool(model);
const { dimensions } = model.space;
const vectors = new Float32Array(words.size * dimensions);
const weights = new Float32Array(words.size);
for (const [i, word] of [...words].entries()) {
	const { vector, weight } = pool.ofWord(word);
	vectors.set(vector, i * dimensions);
	weights[i] = weight;
}
await mkdir(given.out, { recursive: true });
await Bun.write(`${given.out}/words.json`, JSON.stringify([...words]));
await Bun.write(`${given.out}/vectors`, vectors);
await Bun.write(`${given.out}/weights`, weights);
console.log(`${words.size} words`);
