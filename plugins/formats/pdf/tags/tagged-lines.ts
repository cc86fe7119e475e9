/** Gives the lines of a page their structure elements, and decides whether the tags of the page are to be followed. */

import type { Line } from "../page-text.ts";
import { holdsNoText, isHeading, roles, type TagNode } from "./tag-node.ts";

/** The share of the characters between the margins that has to be tagged. A page with less is read by its layout: what is left out may be a paragraph. */
const taggedShareMin = 0.998;
/** Running heads and page numbers, which have no tags, are within this share of the page's height from the top or bottom. */
const marginShare = 0.065;

/** A page with more lines is read by its layout: each of them is compared with the others of its element. */
const linesMax = 10_000;

export interface TaggedLines {
	/** In the order of the tags, as far as they have some. */
	readonly lines: readonly Line[];
	/** Whether nearly all of the page is tagged, so that its order, its lists and its tables can be followed. */
	readonly coversPage: boolean;
}

export function taggedLines(lines: readonly Line[], elements: readonly (TagNode | undefined)[], height: number): TaggedLines {
	if (lines.length > linesMax) return { lines: [], coversPage: false };
	const all = lines.map((line) => {
		const element = elements[line.block];
		return element === undefined || holdsNoText(element.role) ? line : { ...line, element };
	});
	const strays = strayLines(all);
	const tagged = all.filter((line) => line.element !== undefined && !strays.has(line));
	const untagged = all.flatMap((line) => (line.element === undefined || strays.has(line) ? [withoutElement(line)] : []));
	const isInside = ({ box }: Line) => box[3] > height * marginShare && box[1] < height * (1 - marginShare);
	const [taggedCount, untaggedCount] = [charactersIn(tagged), charactersIn(untagged.filter(isInside))];
	const coversPage = taggedCount > 0 && taggedCount >= (taggedCount + untaggedCount) * taggedShareMin;
	return coversPage ? { lines: untagged.reduce(insertBelow, tagged), coversPage } : { lines: tagged, coversPage };
}

/** Stands for all that is no heading by its tags. */
const anyText: TagNode = { role: roles.paragraph, index: 0, parent: undefined };

/** The lines of a page that is read by its layout, of which the tags still tell which ones are headings. */
export function markHeadings(lines: readonly Line[], tagged: readonly Line[]): readonly Line[] {
	const keyOf = ({ text, box }: Line) => `${Math.round(box[0])} ${Math.round(box[1])} ${text}`;
	const elements = new Map(tagged.map((line) => [keyOf(line), line.element] as const));
	if (elements.size === 0) return lines;
	return lines.map((line) => {
		const element = elements.get(keyOf(line));
		return { ...line, element: element !== undefined && isHeading(element.role) ? element : anyText };
	});
}

/** A line without tags, on a tagged page. Its block is negative if it had an element, so that it is no block of that. */
function withoutElement(line: Line): Line {
	return { ...line, element: anyText, block: line.element === undefined ? line.block : -1 - line.block };
}

/**
 * The lines that are far from the first lines of their element. MuPDF counts text without tags to the element that was drawn before
 * it: running heads, and what Chromium does not tag of paragraphs and tables that go on on the next page.
 */
function strayLines(lines: readonly Line[]): ReadonlySet<Line> {
	const strays = new Set<Line>();
	for (const [element, all] of Map.groupBy(lines, (line) => line.element)) {
		if (element === undefined) continue;
		const kept: Line[] = [];
		for (const line of all) {
			if (kept.length === 0 || kept.some((other) => isNear(other, line)) || (element.role === roles.paragraph && isInNextColumn(kept, line))) kept.push(line);
			else strays.add(line);
		}
	}
	return strays;
}

/** The largest gap between lines of an element, in font sizes. */
const lineGap = 1;

function isNear({ box, size }: Line, line: Line): boolean {
	return Math.max(line.box[1] - box[3], box[1] - line.box[3]) < Math.max(size, line.size) * lineGap;
}

/** Whether no line of the paragraph so far is above or below the line. */
function isInNextColumn(lines: readonly Line[], { box }: Line): boolean {
	return lines.every((other) => other.box[2] < box[0] || other.box[0] > box[2]);
}

/** Inserts an untagged line after the last line above it, or at the beginning. */
function insertBelow(lines: readonly Line[], line: Line): readonly Line[] {
	const above = lines.findLastIndex(({ box }) => box[3] <= line.box[1] + line.size / 2 && box[0] < line.box[2] && box[2] > line.box[0]);
	return lines.toSpliced(above + 1, 0, line);
}

function charactersIn(lines: readonly Line[]): number {
	return lines.reduce((sum, { text }) => sum + text.length, 0);
}
