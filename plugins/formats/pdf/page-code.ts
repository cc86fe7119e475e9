/** Finds code listings on a page: monospaced lines, with their indentation. */

import type { Row } from "./tables/page-rows.ts";

/** The largest distance between lines of a listing, in font sizes. It allows for an empty line. */
const gapMax = 3.4;

/** How many rows from here on are code. A single row does not count, since it may be a name in a sentence. */
export function codeRowCount(rows: readonly Row[], from: number): number {
	let end = from;
	while (isCode(rows[end]) && (end === from || isNear(rows[end - 1], rows[end]))) end++;
	return end - from >= 2 ? end - from : 0;
}

function isCode(row: Row | undefined): boolean {
	return row?.every((line) => line.isMono && !line.hasDot) === true;
}

function isNear(above: Row | undefined, below: Row | undefined): boolean {
	const [upper, lower] = [above?.[0], below?.[0]];
	return upper !== undefined && lower !== undefined && Math.abs(lower.box[1] - upper.box[1]) < lower.size * gapMax;
}

/** The text of a listing, with indentation and gaps as spaces. */
export function codeOf(rows: readonly Row[]): string {
	const lines = rows.flat();
	const left = Math.min(...lines.map(({ box }) => box[0]));
	const characterWidth =
		lines.reduce((sum, { box }) => sum + box[2] - box[0], 0) /
		Math.max(
			1,
			lines.reduce((sum, { text }) => sum + text.length, 0),
		);
	return rows.map((row) => row.reduce((result, { text, box }) => `${result.padEnd(Math.round((box[0] - left) / characterWidth))}${text}`, "")).join("\n");
}
