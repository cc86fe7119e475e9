/** A trained table as bytes: each row as 8-bit numbers with a scale of its own, in which its weight is too. */

import type { Table } from "../contrast/table.ts";

export interface QuantisedTable {
	readonly scales: Float32Array;
	readonly bytes: Int8Array;
}

const largest = 127;

export function quantise({ rows, logWeights }: Pick<Table, "rows" | "logWeights">): QuantisedTable {
	const scales = new Float32Array(rows.rows);
	const bytes = new Int8Array(rows.values.length);
	for (let row = 0; row < rows.rows; row++) {
		const from = row * rows.columns;
		let top = 0;
		for (let k = 0; k < rows.columns; k++) top = Math.max(top, Math.abs(rows.values[from + k] ?? 0));
		if (top === 0) continue;
		for (let k = 0; k < rows.columns; k++) bytes[from + k] = Math.round(((rows.values[from + k] ?? 0) * largest) / top);
		scales[row] = (top / largest) * Math.exp(logWeights[row] ?? 0);
	}
	return { scales, bytes };
}
