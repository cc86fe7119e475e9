/** What is drawn on a page beside its text, as far as it orders the text: the ruling lines of tables, the dots before list items. */

import type { Box } from "../ocr/ocr-paragraphs.ts";
import type { VectorListener } from "./letters/structured-text.ts";

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

/** A map has a million strokes and no table: beyond this many nothing is looked at. */
const drawingsMax = 4_000;
/** What is thinner is a line, in points; what is shorter is no rule of a table. */
const thicknessMax = 2.5;
const ruleLengthMin = 5;
const [dotMin, dotMax] = [1.2, 9];
/** A dot is as wide as high; a dash before an item is a letter. */
const dotSkewMax = 1.3;
const whiteMin = 250;

/** Collects the vectors of a page. */
export interface DrawingsInTheMaking {
	readonly add: VectorListener;
	readonly drawn: () => Drawings;
}

export function createDrawings(pageArea: number): DrawingsInTheMaking {
	const rules: Rule[] = [];
	const dots: Box[] = [];
	let seen = 0;
	return {
		add(box, isRectangle, argb) {
			if (++seen > drawingsMax || isWhite(argb)) return; // white is painted under a line of text, say
			const [left, top, right, bottom] = box;
			const [width, height] = [right - left, bottom - top];
			if (isDot(width, height)) dots.push(box);
			else if (height <= thicknessMax && width >= ruleLengthMin) rules.push({ isUpright: false, at: (top + bottom) / 2, from: left, to: right });
			else if (width <= thicknessMax && height >= ruleLengthMin) rules.push({ isUpright: true, at: (left + right) / 2, from: top, to: bottom });
			else if (isRectangle && width * height < pageArea * 0.8) rules.push(...edgesOf(box));
		},
		drawn: () => (seen > drawingsMax ? { rules: [], dots: [] } : { rules, dots }),
	};
}

/** Each of red, green and blue nearly full. */
function isWhite(argb: number): boolean {
	return (argb & 0xff) >= whiteMin && ((argb >> 8) & 0xff) >= whiteMin && ((argb >> 16) & 0xff) >= whiteMin;
}

function isDot(width: number, height: number): boolean {
	return Math.min(width, height) >= dotMin && Math.max(width, height) <= dotMax && Math.abs(width - height) <= dotSkewMax;
}

/** The frame or the shade of a cell ends where the cell ends. */
function edgesOf([left, top, right, bottom]: Box): readonly Rule[] {
	return [
		{ isUpright: false, at: top, from: left, to: right },
		{ isUpright: false, at: bottom, from: left, to: right },
		{ isUpright: true, at: left, from: top, to: bottom },
		{ isUpright: true, at: right, from: top, to: bottom },
	];
}
