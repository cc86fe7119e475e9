/** Puts form entries after their labels. In the file, entries come after all other text of the page. */

import type { Box } from "../ocr/ocr-paragraphs.ts";
import type { Line } from "./page-text.ts";

/** @param fields boxes of the form fields */
export function placeFormEntries(lines: readonly Line[], fields: readonly Box[]): readonly Line[] {
	if (fields.length === 0) return lines;
	const entries = lines.filter(({ box }) => fields.some((field) => isInside(box, field)));
	const ordered = lines.filter((line) => !entries.includes(line));
	// Sorted from left to right, so that several entries beside one label keep their order.
	for (const entry of entries.toSorted((one, other) => one.box[0] - other.box[0])) {
		const label = labelOf(entry, ordered);
		if (label === undefined) ordered.push(entry);
		else ordered.splice(ordered.indexOf(label) + 1, 0, { ...entry, block: label.block });
	}
	return ordered;
}

function isInside([left, top, right, bottom]: Box, field: Box): boolean {
	const [x, y] = [(left + right) / 2, (top + bottom) / 2];
	return x > field[0] && x < field[2] && y > field[1] && y < field[3];
}

/** The label of an entry: the nearest line to the left, otherwise the line right above it. */
function labelOf({ box: [left, top, right, bottom], size }: Line, lines: readonly Line[]): Line | undefined {
	const middle = (top + bottom) / 2;
	const beside = lines.filter(({ box }) => box[2] <= left + size / 2 && box[1] < middle && box[3] > middle);
	if (beside.length > 0) return beside.reduce((nearest, line) => (line.box[2] > nearest.box[2] ? line : nearest));
	const above = lines.filter(({ box }) => box[3] <= top + size / 2 && top - box[3] < size * 2 && box[0] < right && box[2] > left);
	return above.length === 0 ? undefined : above.reduce((nearest, line) => (line.box[3] > nearest.box[3] ? line : nearest));
}
