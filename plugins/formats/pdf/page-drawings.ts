/** Vectors of a page that structure its text: ruling lines of tables, bullets of list items. */

import type { Box } from "../ocr/ocr-paragraphs.ts";
import type { VectorListener } from "./letters/structured-text.ts";

/** A horizontal or vertical line, in points. */
export interface Rule {
	readonly isUpright: boolean;
	/** Its y, or its x when it is vertical. */
	readonly at: number;
	readonly from: number;
	readonly to: number;
}

export interface Drawings {
	readonly rules: readonly Rule[];
	readonly dots: readonly Box[];
}

/** A page with more vectors is a map or the like, without tables. */
const drawingsMax = 4_000;
/** In points: the thickness of a line at most, and the length of a table's rule at least. */
const thicknessMax = 2.5;
const ruleLengthMin = 5;
const [dotMin, dotMax] = [1.2, 9];
/** The largest ratio of the sides of a dot. */
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
			if (++seen > drawingsMax || isWhite(argb)) return; // white is background, for example of a line of text
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

/** Red, green and blue are all nearly 255. */
function isWhite(argb: number): boolean {
	return (argb & 0xff) >= whiteMin && ((argb >> 8) & 0xff) >= whiteMin && ((argb >> 16) & 0xff) >= whiteMin;
}

function isDot(width: number, height: number): boolean {
	return Math.min(width, height) >= dotMin && Math.max(width, height) <= dotMax && Math.abs(width - height) <= dotSkewMax;
}

/** The edges of a cell's frame or shading are lines. */
function edgesOf([left, top, right, bottom]: Box): readonly Rule[] {
	return [
		{ isUpright: false, at: top, from: left, to: right },
		{ isUpright: false, at: bottom, from: left, to: right },
		{ isUpright: true, at: left, from: top, to: bottom },
		{ isUpright: true, at: right, from: top, to: bottom },
	];
}
