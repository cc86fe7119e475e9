/** What is drawn on a page beside its text, as far as it orders the text: the ruling lines of tables, the dots before list items. */

import type { Color, Rect, StructuredText } from "mupdf";
import type { Box } from "./ocr-paragraphs.ts";

/** A straight line across or down the page, in points. */
export interface Rule {
	readonly isUpright: boolean;
	/** Its height on the page, or its distance from the left when it is upright. */
	readonly at: number;
	readonly from: number;
	readonly to: number;
}

export interface Drawings {
	readonly rules: readonly Rule[];
	readonly dots: readonly Box[];
}

export const nothingDrawn: Drawings = { rules: [], dots: [] };

/** A map has a million strokes and no table: beyond this many nothing is looked at. */
const drawingsMax = 4_000;
/** What is thinner is a line, in points; what is shorter is no rule of a table. */
const thicknessMax = 2.5;
const ruleLengthMin = 5;
const [dotMin, dotMax] = [1.2, 9];
/** A dot is as wide as high; a dash before an item is a letter. */
const dotSkewMax = 1.3;

export function readDrawings(structured: StructuredText, pageArea: number): Drawings {
	const rules: Rule[] = [];
	const dots: Box[] = [];
	let seen = 0;
	try {
		structured.walk({
			onVector(box: Rect, { isRectangle }: { readonly isRectangle: boolean }, color: Color) {
				if (++seen > drawingsMax) throw tooMany;
				if (isWhite(color)) return; // what is painted under a line of text, say
				const [left, top, right, bottom] = box;
				const [width, height] = [right - left, bottom - top];
				if (isDot(width, height)) dots.push([left, top, right, bottom]);
				else if (height <= thicknessMax && width >= ruleLengthMin) rules.push({ isUpright: false, at: (top + bottom) / 2, from: left, to: right });
				else if (width <= thicknessMax && height >= ruleLengthMin) rules.push({ isUpright: true, at: (left + right) / 2, from: top, to: bottom });
				else if (isRectangle && width * height < pageArea * 0.8) rules.push(...edgesOf(box));
			},
		});
	} catch (thrown) {
		if (thrown !== tooMany) throw thrown;
		return nothingDrawn;
	}
	return { rules, dots };
}

const tooMany = new Error("more is drawn than a table has");

function isWhite(color: Color): boolean {
	return color.length === 3 && color.every((part) => part > 0.98);
}

function isDot(width: number, height: number): boolean {
	return Math.min(width, height) >= dotMin && Math.max(width, height) <= dotMax && Math.abs(width - height) <= dotSkewMax;
}

/** The frame or the shade of a cell ends where the cell ends. */
function edgesOf([left, top, right, bottom]: Rect): readonly Rule[] {
	return [
		{ isUpright: false, at: top, from: left, to: right },
		{ isUpright: false, at: bottom, from: left, to: right },
		{ isUpright: true, at: left, from: top, to: bottom },
		{ isUpright: true, at: right, from: top, to: bottom },
	];
}
