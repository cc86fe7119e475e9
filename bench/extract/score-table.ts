/** Scores of many files → one line for each group and one for all. */

import type { Score } from "./score.ts";

export interface Scored extends Score {
	readonly id: string;
	readonly format: string;
	readonly ms: number;
	/** The order-aware measure where descriptions of pictures are set aside, which some expected texts leave out by rule. */
	readonly plainOrderF1: number | null;
	/** The code of the failure; null when it was read. */
	readonly failed: string | null;
}

export function scoreTable(rows: readonly Scored[], groupOf: (row: Scored) => string, title: string): string {
	const groups = [...Map.groupBy(rows, groupOf)].sort(([one], [other]) => (one < other ? -1 : 1));
	const lines = groups.map(([name, attachments]) => line(name, attachments));
	return [
		`| ${title} | files | failed | words F1 | in order F1 | the same without descriptions of pictures | headings F1 | cells F1 | wrong letters | ms a file |`,
		"|---|---|---|---|---|---|---|---|---|---|",
		...lines,
		...(lines.length > 1 ? [line("**all**", rows)] : []),
	].join("\n");
}

function line(name: string, rows: readonly Scored[]): string {
	const mean = (figureOf: (row: Scored) => number | null) => {
		const values = rows.map(figureOf).filter((value) => value !== null);
		return values.length === 0 ? "" : (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
	};
	const failed = rows.filter((row) => row.failed !== null).length;
	const ms = Math.round(rows.reduce((sum, row) => sum + row.ms, 0) / rows.length);
	const figures = [
		(row: Scored) => row.bagF1,
		(row: Scored) => row.orderF1,
		(row: Scored) => row.plainOrderF1,
		(row: Scored) => row.headingF1,
		(row: Scored) => row.cellF1,
		(row: Scored) => row.cer,
	];
	return `| ${name} | ${rows.length} | ${failed} | ${figures.map(mean).join(" | ")} | ${ms} |`;
}
