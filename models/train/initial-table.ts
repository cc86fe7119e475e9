/** The table before it has seen a pair: directions from what words stand beside, weights from how rare they are. */

import type { Table } from "./contrast/table.ts";
import type { Factor } from "./factor/randomized-factor.ts";
import type { Random } from "./random.ts";
import type { Settings } from "./settings.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Shared rows point anywhere, so that unknown words are strangers until the pairs say otherwise. */
export function fillTable(
	{ rows, logWeights }: Table,
	{ values, vectors }: Factor,
	{ counts, total }: Pick<Vocabulary, "counts" | "total">,
	{ spectrum, rarity }: Pick<Settings, "spectrum" | "rarity">,
	random: Random,
): void {
	const { columns } = rows;
	for (let row = 0; row < rows.rows; row++) {
		const line = rows.values.subarray(row * columns, (row + 1) * columns);
		const known = row < counts.length;
		for (let k = 0; k < values.length; k++) {
			line[k] = known ? (vectors[row * values.length + k] ?? 0) * Math.abs(values[k] ?? 0) ** spectrum : random.normal();
		}
		toUnit(line, random);
		logWeights[row] = known ? Math.log(rarity / (rarity + (counts[row] ?? 0) / total)) : 0;
	}
}

/** A word that stands beside nothing in the raw text gets any direction. */
function toUnit(line: Float32Array, random: Random): void {
	const length = (): number => Math.sqrt(line.reduce((sum, value) => sum + value * value, 0));
	if (length() < 1e-12) for (let k = 0; k < line.length; k++) line[k] = random.normal();
	const scale = 1 / length();
	for (let k = 0; k < line.length; k++) line[k] = (line[k] ?? 0) * scale;
}
