/** Distinguishes wrapped lines from lines that end early, well before the right edge of their column. */

import type { Line } from "./page-text.ts";

export interface RightEdges {
	/** Whether the line ends well before the edge although the next word would have fitted. */
	readonly endsEarly: (line: Line, next: Line) => boolean;
	/** Whether the first word of the next line would not have fitted, judged by the other lines of the column. */
	readonly isFull: (line: Line, next: Line) => boolean;
}

/** The largest difference in x at which lines of one column begin, including indented ones, in points. */
const indentMax = 40;
/** If there are this many lines whose font size differs by at most this many points, only those decide the edge: a title may span two columns. */
const [sameSizeLinesMin, sizeTolerance] = [4, 0.6];
/** The least number of characters in a line of prose, with and without spaces between words. */
const [proseCharactersMin, unspacedCharactersMin] = [35, 15];
/** The edge of a column is known if this many lines reach about as far. */
const fullLinesMin = 3;
/** Wrapped lines fill at least this share of the width, even if a program wrapped them by counting characters. */
const filledShare = 0.7;

export function rightEdges(lines: readonly Line[]): RightEdges {
	const edges = new Map<Line, number>();
	const edgeOf = (line: Line) => {
		let [edgeOfAll, edgeOfSameSize, sameSizeLines] = [line.box[2], line.box[2], 0];
		for (const { box, size } of lines) {
			if (Math.abs(box[0] - line.box[0]) > indentMax) continue;
			edgeOfAll = Math.max(edgeOfAll, box[2]);
			if (Math.abs(size - line.size) > sizeTolerance) continue;
			edgeOfSameSize = Math.max(edgeOfSameSize, box[2]);
			sameSizeLines++;
		}
		return sameSizeLines < sameSizeLinesMin ? edgeOfAll : edgeOfSameSize;
	};
	const cachedEdge = (line: Line) => {
		const edge = edges.get(line) ?? edgeOf(line);
		edges.set(line, edge);
		return edge;
	};
	/** The width that is left on the line after adding a space and the next word, in points. */
	const roomAfter = (line: Line, next: Line) => {
		const word = isUnspaced(next.text) ? "" : (next.text.split(" ")[0] ?? "");
		const characterWidth = (next.box[2] - next.box[0]) / Math.max(1, next.text.length);
		return cachedEdge(line) - line.box[2] - (word.length + 2) * characterWidth;
	};
	const countFullLines = (line: Line) =>
		lines.filter(({ box }) => Math.abs(box[0] - line.box[0]) <= indentMax && box[2] > cachedEdge(line) - line.size * 4).length;
	return {
		endsEarly(line, next) {
			if (/\p{L}[-\u00AD\u2010]$/u.test(line.text)) return false; // a hyphenated word
			if (line.box[3] - line.box[1] > line.size * 2 && isUnspaced(line.text)) return false; // vertical text
			return roomAfter(line, next) > 0 && line.box[2] - line.box[0] < (cachedEdge(line) - line.box[0]) * filledShare;
		},
		isFull: (line, next) =>
			line.text.length >= (isUnspaced(line.text) ? unspacedCharactersMin : proseCharactersMin) &&
			countFullLines(line) >= fullLinesMin &&
			roomAfter(line, next) <= 0,
	};
}

/** Scripts without spaces, whose lines break at any character. */
function isUnspaced(text: string): boolean {
	return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
}
