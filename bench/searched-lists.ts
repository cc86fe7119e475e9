/**
 * What a search for the neighbours of one statement costs in a container's list, of many at once: `bun bench/searched-lists.ts 400000 10000
 * 50000 100000`, the rows of the matrix, then the lengths of lists. Prints the processor time of copying the list, and of each query in the
 * copy (the first of these rounds fills caches) and in the matrix.
 */

import { ListRows } from "../plugins/stores/sqlite/vectors/matrix/list-rows.ts";
import { VectorMatrix } from "../plugins/stores/sqlite/vectors/matrix/vector-matrix.ts";
import { randomFrom } from "../test/plugins/stores/sqlite/vector-fixture.ts";

const dimensions = 256;
const [rows = 400_000, ...lengths] = process.argv.slice(2).map(Number);
/** Enough that every list is copied that may be. */
const asked = 160;
const searched = 32;
const limit = 16;

const random = randomFrom(1);
const matrix = new VectorMatrix(dimensions);
const row = new Int8Array(dimensions);
for (let i = 0; i < rows; i++) {
	for (let at = 0; at < dimensions; at++) row[at] = random() * 254 - 127;
	matrix.appendRow(i + 1, row);
}
const queries = Array.from({ length: searched }, (_, i) => Int8Array.from(matrix.row(i * 37)));

console.log("| list | copied | a query, three rounds | in the matrix |\n|---|---|---|---|");
for (const length of lengths) {
	const positions = Int32Array.from({ length }, (_, i) => Math.floor((i * rows) / length));
	const lists = new ListRows(matrix);
	const copied = await msOf(() => lists.of("list", positions, asked));
	const rounds: number[] = [];
	for (let round = 0; round < 3; round++) rounds.push(await msOf(async () => (await lists.of("list", positions, searched))(queries, limit)));
	const inMatrix = await msOf(() => matrix.topOfEach(queries, positions, limit));
	const each = (ms: number) => (ms / searched).toFixed(2);
	console.log(`| ${length} | ${copied.toFixed(0)} ms | ${rounds.map(each).join(", ")} ms | ${each(inMatrix)} ms |`);
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
	const before = process.threadCpuUsage();
	await run();
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1_000;
}
