/** Tells a line that ended since it was full from one that was ended on purpose: well before the edge of its column. */

import type { Line } from "./page-text.ts";

export interface RightEdges {
	readonly endsOnPurpose: (line: Line, next: Line) => boolean;
}

/** Lines of one column begin no further apart, in points: indented ones too. */
const indentMax = 40;
/** The title over two columns is as wide as both: where there are so many, lines with letters of one size, in points, tell the edge. */
const [alikeMin, sizesMax] = [4, 0.6];
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
	return {
		endsOnPurpose(line, next) {
			if (/\p{L}[-\u00AD\u2010]$/u.test(line.text)) return false; // a word is cut there
			const [word = ""] = next.text.split(" ");
			const letter = (next.box[2] - next.box[0]) / Math.max(1, next.text.length);
			const edge = knownEdge(line);
			return line.box[2] + (word.length + 2) * letter < edge && line.box[2] - line.box[0] < (edge - line.box[0]) * filledShare;
		},
	};
}
