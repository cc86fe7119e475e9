/** Three tables, one for each metric, with collections as rows, setups as columns, and the mean in the last row. */

import { depth, meanQuality, type Quality } from "./metrics.ts";

export interface Row {
	readonly name: string;
	/** By the column's title. */
	readonly cells: ReadonlyMap<string, Quality>;
}

/** The tables in Markdown, with values in per cent. */
export function qualityTables(columns: readonly string[], rows: readonly Row[], recallDepth: number = depth): string {
	const metrics = [
		["nDCG@10", ({ ndcg }: Quality) => ndcg],
		[`recall@${recallDepth}`, ({ recall }: Quality) => recall],
		["MRR@10", ({ reciprocalRank }: Quality) => reciprocalRank],
	] as const;
	const mean = { name: "mean", cells: new Map(columns.map((column) => [column, meanQuality(rows.flatMap(({ cells }) => cells.get(column) ?? []))])) };
	const allRows = rows.length > 1 ? [...rows, mean] : rows;
	return metrics
		.map(([title, metric]) => {
			const lines = allRows.map(({ name, cells }) => tableRow([name, ...columns.map((column) => formatPercent(cells.get(column), metric))]));
			return [tableRow([title, ...columns]), `|${"---|".repeat(columns.length + 1)}`, ...lines].join("\n");
		})
		.join("\n\n");
}

function tableRow(cells: readonly string[]): string {
	return `| ${cells.join(" | ")} |`;
}

function formatPercent(quality: Quality | undefined, metric: (quality: Quality) => number): string {
	return quality === undefined ? "" : (100 * metric(quality)).toFixed(1);
}
