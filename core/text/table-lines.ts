/** Rows of a table as lines of Markdown, and the header that each chunk of the table repeats. */

import type { Block } from "../model/extraction.ts";

type TableRow = Extract<Block, { kind: "row" }>;

export interface TableHeader {
	/** The names of the columns and the rule below them; empty where no column has a name. */
	readonly lines: string;
	/** Whether they are short enough to be written above every part of the table. */
	readonly isRepeated: boolean;
}

export const noHeader: TableHeader = { lines: "", isRepeated: false };

/** A header may take this share of a chunk: a fifth more text in each part is worth the names, half of it would hide the rows. */
const headerShare = 0.2;

/** Cells as a line of a Markdown table; the text itself when the row names no cells. */
export function rowLine(cells: readonly string[], text = ""): string {
	return cells.length === 0 ? text.trim() : `| ${cells.map(plainCell).join(" | ")} |`;
}

/** The header of the table that a row is the first of. @param room how many characters a chunk may have. */
export function tableHeader({ header, cells }: TableRow, room: number): TableHeader {
	if (header.every((name) => name.trim() === "")) return noHeader;
	const width = Math.max(header.length, cells.length);
	const lines = `${rowLine(Array.from({ length: width }, (_, column) => header[column] ?? ""))}\n|${" --- |".repeat(width)}`;
	return { lines, isRepeated: lines.length <= room * headerShare };
}

/** Whether two blocks are rows of one table. */
export function isSameTable(one: Block | null | undefined, other: Block): boolean {
	if (one?.kind !== "row" || other.kind !== "row") return false;
	return one.table === other.table && (one.header === other.header || one.header.join("\t") === other.header.join("\t"));
}

function plainCell(cell: string): string {
	return /[\s|]/.test(cell) ? cell.replaceAll("|", "\\|").replace(/\s+/g, " ").trim() : cell;
}
