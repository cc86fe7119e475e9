/** Collects the vectors of a page that structure its text: ruling lines of tables, bullets of list items. */

import type { Box } from "../ocr/ocr-paragraphs.ts";
import type { VectorListener } from "./letters/structured-text.ts";

/** A horizontal or vertical line, in points. */
export interface Rule {
	readonly isVertical: boolean;
	/** Its y, or its x if it is vertical. */
	readonly position: number;
	/** Its ends, from left to right or from top to bottom. */
	readonly from: number;
	readonly to: number;
}

export interface Drawings {
	readonly rules: readonly Rule[];
	/** Boxes of small round or square shapes, which may be bullets. */
	readonly dots: readonly Box[];
}

/** A page with more vectors is a map or a similar drawing, and its vectors are ignored. */
const drawingsMax = 4_000;
/** The greatest thickness of a line, and the least length of a table's ruling line, in points. */
const thicknessMax = 2.5;
const ruleLengthMin = 5;
/** The least and greatest width and height of a dot, in points. */
const [dotMin, dotMax] = [1.2, 9];
/** The largest difference between width and height of a dot, in points. */
const dotSkewMax = 1.3;
const whiteMin = 250;

/** Collects the vectors of a page. */
export interface DrawingCollector {
	readonly add: VectorListener;
	readonly result: () => Drawings;
}

export function createDrawingCollector(pageArea: number): DrawingCollector {
	const rules: Rule[] = [];
	const dots: Box[] = [];
	let count = 0;
	return {
		add(box, isRectangle, argb) {
			if (++count > drawingsMax || isWhite(argb)) return; // white vectors are backgrounds, for example of a line of text
			const [left, top, right, bottom] = box;
			const [width, height] = [right - left, bottom - top];
			if (isDot(width, height)) dots.push(box);
			else if (height <= thicknessMax && width >= ruleLengthMin) rules.push({ isVertical: false, position: (top + bottom) / 2, from: left, to: right });
			else if (width <= thicknessMax && height >= ruleLengthMin) rules.push({ isVertical: true, position: (left + right) / 2, from: top, to: bottom });
			else if (isRectangle && width * height < pageArea * 0.8) rules.push(...edgesOf(box));
		},
		result: () => (count > drawingsMax ? { rules: [], dots: [] } : { rules, dots }),
	};
}

/** Whether red, green and blue are all nearly 255. */
function isWhite(argb: number): boolean {
	return (argb & 0xff) >= whiteMin && ((argb >> 8) & 0xff) >= whiteMin && ((argb >> 16) & 0xff) >= whiteMin;
}

function isDot(width: number, height: number): boolean {
	return Math.min(width, height) >= dotMin && Math.max(width, height) <= dotMax && Math.abs(width - height) <= dotSkewMax;
}

/** The four edges of a rectangle, which may be the frame or the shading of a cell. */
function edgesOf([left, top, right, bottom]: Box): readonly Rule[] {
	return [
		{ isVertical: false, position: top, from: left, to: right },
		{ isVertical: false, position: bottom, from: left, to: right },
		{ isVertical: true, position: left, from: top, to: bottom },
		{ isVertical: true, position: right, from: top, to: bottom },
	];
}
