/** How much oftener two words stand together than chance would have it: positive pointwise mutual information, sparse. */

import { createGrowing } from "./data/growing.ts";
import type { Kernels, SparseRows } from "./kernels/kernels.ts";
import { countNeighbours } from "./neighbours.ts";
import type { Settings } from "./settings.ts";

/** Symmetric: the chance of the neighbour is smoothed, and the mean of both directions is taken (Levy, Goldberg & Dagan 2015). */
export function positiveInformation(stream: Int32Array, rows: number, settings: Pick<Settings, "window" | "neighboursMin" | "smoothing">): PackedRows {
	const { window, neighboursMin, smoothing } = settings;
	const met = new Float64Array(rows);
	const starts = createGrowing();
	const columns = createGrowing();
	const counted = createGrowing();
	countNeighbours(stream, rows, window, (row, counts) => {
		starts.push(columns.length());
		for (let column = 0; column < rows; column++) {
			const count = counts[column] ?? 0;
			met[row] = (met[row] ?? 0) + count;
			if (count < neighboursMin) continue;
			columns.push(column);
			counted.push(count);
		}
	});
	starts.push(columns.length());
	return weigh({ starts: starts.values(), columns: columns.values(), values: counted.values() }, chances(met, smoothing));
}

/** As `SparseRows`, on the ordinary heap. */
export interface PackedRows {
	readonly starts: Uint32Array<ArrayBuffer>;
	readonly columns: Uint32Array<ArrayBuffer>;
	readonly values: Float32Array<ArrayBuffer>;
}

/** For each word the logarithm of the mean of its chance and its smoothed chance, and of the number of all meetings. */
function chances(met: Float64Array, smoothing: number): { readonly logs: Float64Array; readonly logAll: number } {
	const all = met.reduce((sum, count) => sum + count, 0);
	const smoothed = met.reduce((sum, count) => sum + count ** smoothing, 0);
	const logs = met.map((count) => (Math.log(Math.max(1, count) / all) + Math.log(Math.max(1, count) ** smoothing / smoothed)) / 2);
	return { logs, logAll: Math.log(all) };
}

function weigh(
	{ starts, columns, values }: { starts: Uint32Array<ArrayBuffer>; columns: Uint32Array<ArrayBuffer>; values: Uint32Array },
	{ logs, logAll }: ReturnType<typeof chances>,
): PackedRows {
	const kept = new Float32Array(values.length);
	let length = 0;
	for (let row = 0; row + 1 < starts.length; row++) {
		const from = starts[row] ?? 0;
		const to = starts[row + 1] ?? 0;
		starts[row] = length;
		for (let at = from; at < to; at++) {
			const column = columns[at] ?? 0;
			const information = Math.log(values[at] ?? 1) - logAll - (logs[row] ?? 0) - (logs[column] ?? 0);
			if (information <= 0) continue;
			columns[length] = column;
			kept[length++] = information;
		}
	}
	starts[starts.length - 1] = length;
	return { starts, columns: columns.slice(0, length), values: kept.slice(0, length) };
}

export function toKernels(packed: PackedRows, kernels: Kernels): SparseRows {
	const rows = kernels.sparse(packed.starts.length - 1, packed.values.length);
	rows.starts.set(packed.starts);
	rows.columns.set(packed.columns);
	rows.values.set(packed.values);
	return rows;
}
