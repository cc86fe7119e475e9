/** Three tables, one for each metric: collections in rows, setups in columns, and the mean below. */

import { depth, meanQuality, type Quality } from "./metrics.ts";

export interface Row {
	readonly name: string;
	/** By the column's title. */
	readonly cells: ReadonlyMap<string, Quality>;
}

/** In Markdown, in per cent. */
export function qualityTables(columns: readonly string[], rows: readonly Row[], recallDepth: number = depth): string {
	const figures = [
		["nDCG@10", ({ ndcg }: Quality) => ndcg],
		[`recall@${recallDepth}`, ({ recall }: Quality) => recall],
		["MRR@10", ({ reciprocalRank }: Quality) => reciprocalRank],
	] as const;
	const mean = { name: "mean", cells: new Map(columns.map((column) => [column, meanQuality(rows.flatMap(({ cells }) => cells.get(column) ?? []))])) };
	const all = rows.length > 1 ? [...rows, mean] : rows;
	return figures
		.map(([title, of]) => {
			const lines = all.map(({ name, cells }) => line([name, ...columns.map((column) => shown(cells.get(column), of))]));
			return [line([title, ...columns]), `|${"---|".repeat(columns.length + 1)}`, ...lines].join("\n");
		})
		.join("\n\n");
}

function line(cells: readonly string[]): string {
	return `| ${cells.join(" | ")} |`;
}

function shown(quality: Quality | undefined, of: (quality: Quality) => number): string {
	return quality === undefined ? "" : (100 * of(quality)).toFixed(1);
}
