/** Renders table rows as lines of Markdown, and the header that each chunk of the table repeats. */

import type { Block } from "../model/extraction.ts";

type TableRow = Extract<Block, { kind: "row" }>;

export interface TableHeader {
	/** The line of column names and the delimiter line; empty if no column has a name. */
	readonly lines: string;
	/** Whether the lines are short enough to be repeated in every chunk of the table. */
	readonly isRepeated: boolean;
}

export const noHeader: TableHeader = { lines: "", isRepeated: false };

/** A header is repeated only if it takes at most this share of a chunk. */
const headerShare = 0.2;

/** The cells as a line of a Markdown table; the text if the row has no cells. */
export function rowLine(cells: readonly string[], text = ""): string {
	return cells.length === 0 ? text.trim() : `| ${cells.map(plainCell).join(" | ")} |`;
}

/** The header of a table. @param charactersMax the length of a chunk */
export function tableHeader({ header, cells }: TableRow, charactersMax: number): TableHeader {
	if (header.every((name) => name.trim() === "")) return noHeader;
	const width = Math.max(header.length, cells.length);
	const lines = `${rowLine(Array.from({ length: width }, (_, column) => header[column] ?? ""))}\n|${" --- |".repeat(width)}`;
	return { lines, isRepeated: lines.length <= charactersMax * headerShare };
}

/** Whether two blocks are rows of one table. */
export function isSameTable(one: Block | null | undefined, other: Block): boolean {
	if (one?.kind !== "row" || other.kind !== "row") return false;
	return one.table === other.table && (one.header === other.header || one.header.join("\t") === other.header.join("\t"));
}

function plainCell(cell: string): string {
	return /[\s|]/.test(cell) ? cell.replaceAll("|", "\\|").replace(/\s+/g, " ").trim() : cell;
}
