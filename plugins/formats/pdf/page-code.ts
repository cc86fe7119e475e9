/** Code listings on a page: monospaced lines, with their indentation. */

import type { Row } from "./tables/page-rows.ts";

/** In letter heights: the largest gap within a listing, which allows for an empty line. */
const gapMax = 3.4;

/** How many rows from here on are code; a single one may be a name in a sentence. */
export function codeRowCount(rows: readonly Row[], from: number): number {
	let end = from;
	while (isCode(rows[end]) && (end === from || isNear(rows[end - 1], rows[end]))) end++;
	return end - from >= 2 ? end - from : 0;
}

function isCode(row: Row | undefined): boolean {
	return row?.every((line) => line.isMono && !line.hasDot) === true;
}

function isNear(above: Row | undefined, below: Row | undefined): boolean {
	const [one, other] = [above?.[0], below?.[0]];
	return one !== undefined && other !== undefined && Math.abs(other.box[1] - one.box[1]) < other.size * gapMax;
}

/** With indentation and gaps as spaces. */
export function codeOf(rows: readonly Row[]): string {
	const lines = rows.flat();
	const left = Math.min(...lines.map(({ box }) => box[0]));
	const letter =
		lines.reduce((sum, { box }) => sum + box[2] - box[0], 0) /
		Math.max(
			1,
			lines.reduce((sum, { text }) => sum + text.length, 0),
		);
	return rows.map((row) => row.reduce((written, { text, box }) => `${written.padEnd(Math.round((box[0] - left) / letter))}${text}`, "")).join("\n");
}
