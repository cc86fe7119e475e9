/** Tells a line that ended since it was full from one that was ended on purpose: well before the edge of its column. */

import type { Line } from "./page-text.ts";

export interface RightEdges {
	readonly endsOnPurpose: (line: Line, next: Line) => boolean;
	/** Whether there was no room for the first word of the next one, as far as the lines around tell. */
	readonly isFull: (line: Line, next: Line) => boolean;
}

/** Lines of one column begin no further apart, in points: indented ones too. */
const indentMax = 40;
/** The title over two columns is as wide as both: where there are so many, lines with letters of one size, in points, tell the edge. */
const [alikeMin, sizesMax] = [4, 0.6];
/** Letters a line of prose has at least. */
const [proseMin, unspacedMin] = [35, 15];
/** So many lines about as long as the longest fill their column. */
const reachingMin = 3;
/** Programs that count letters instead of measuring them fill a line no less than so far. */
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
	/** How much room there would have been, less than which the next word takes with the space before it. */
	const roomAfter = (line: Line, next: Line) => {
		const word = isUnspaced(next.text) ? "" : (next.text.split(" ")[0] ?? "");
		const letter = (next.box[2] - next.box[0]) / Math.max(1, next.text.length);
		return knownEdge(line) - line.box[2] - (word.length + 2) * letter;
	};
	const reaching = (line: Line) => lines.filter(({ box }) => Math.abs(box[0] - line.box[0]) <= indentMax && box[2] > knownEdge(line) - line.size * 4).length;
	return {
		endsOnPurpose(line, next) {
			if (/\p{L}[-\u00AD\u2010]$/u.test(line.text)) return false; // a word is cut there
			if (line.box[3] - line.box[1] > line.size * 2 && isUnspaced(line.text)) return false; // it runs from top to bottom
			return roomAfter(line, next) > 0 && line.box[2] - line.box[0] < (knownEdge(line) - line.box[0]) * filledShare;
		},
		isFull: (line, next) => line.text.length >= (isUnspaced(line.text) ? unspacedMin : proseMin) && reaching(line) >= reachingMin && roomAfter(line, next) <= 0,
	};
}

/** Lines of these scripts end at any sign. */
function isUnspaced(text: string): boolean {
	return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
}
