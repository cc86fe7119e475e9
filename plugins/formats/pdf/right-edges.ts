/** Distinguishes wrapped lines from lines that end early, well before the right edge of their column. */

import type { Line } from "./page-text.ts";

export interface RightEdges {
	readonly endsOnPurpose: (line: Line, next: Line) => boolean;
	/** Whether the first word of the next line would not have fitted, judged by the lines around. */
	readonly isFull: (line: Line, next: Line) => boolean;
}

/** In points: lines of one column, also indented ones, begin no further apart. */
const indentMax = 40;
/** Where there are so many lines of about the same font size, in points, only those decide the edge; a title may span two columns. */
const [alikeMin, sizesMax] = [4, 0.6];
/** The least length of a line of prose. */
const [proseMin, unspacedMin] = [35, 15];
/** So many lines of about the largest width give the edge of a column. */
const reachingMin = 3;
/** Plain-text wrapping, which counts letters, fills at least this share of a line. */
const filledShare = 0.7;

export function rightEdges(lines: readonly Line[]): RightEdges {
	const edges = new Map<Line, number>();
	const edgeOf = (line: Line) => {
		let [ofAll, ofAlike, alike] = [line.box[2], line.box[2], 0];
		for (const { box, size } of lines) {
			if (Math.abs(box[0] - line.box[0]) > indentMax) continue;
			ofAll = Math.max(ofAll, box[2]);
			if (Math.abs(size - line.size) > sizesMax) continue;
			ofAlike = Math.max(ofAlike, box[2]);
			alike++;
		}
		return alike < alikeMin ? ofAll : ofAlike;
	};
	const knownEdge = (line: Line) => {
		const edge = edges.get(line) ?? edgeOf(line);
		edges.set(line, edge);
		return edge;
	};
	/** The room left on the line after adding a space and the next word. */
	const roomAfter = (line: Line, next: Line) => {
		const word = isUnspaced(next.text) ? "" : (next.text.split(" ")[0] ?? "");
		const letter = (next.box[2] - next.box[0]) / Math.max(1, next.text.length);
		return knownEdge(line) - line.box[2] - (word.length + 2) * letter;
	};
	const reaching = (line: Line) => lines.filter(({ box }) => Math.abs(box[0] - line.box[0]) <= indentMax && box[2] > knownEdge(line) - line.size * 4).length;
	return {
		endsOnPurpose(line, next) {
			if (/\p{L}[-\u00AD\u2010]$/u.test(line.text)) return false; // a hyphenated word
			if (line.box[3] - line.box[1] > line.size * 2 && isUnspaced(line.text)) return false; // vertical text
			return roomAfter(line, next) > 0 && line.box[2] - line.box[0] < (knownEdge(line) - line.box[0]) * filledShare;
		},
		isFull: (line, next) => line.text.length >= (isUnspaced(line.text) ? unspacedMin : proseMin) && reaching(line) >= reachingMin && roomAfter(line, next) <= 0,
	};
}

/** Scripts without spaces, whose lines break at any character. */
function isUnspaced(text: string): boolean {
	return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
}
