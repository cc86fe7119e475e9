/** Gives the lines of a page their structure elements, and decides whether the tags of the page are to be followed. */

import type { Line } from "../page-text.ts";
import type { TagNode } from "./tag-node.ts";

/** The share of the characters between the margins that has to be tagged. On other pages the tags were lost, or are those of a few pictures. */
const taggedShareMin = 0.9;
/** Running heads and page numbers are within this share of the page's height from the top or bottom, and have no tags. */
const marginShare = 0.1;

/** The lines in the order of the tags; null if the tags do not cover the page. */
export function taggedLines(lines: readonly Line[], elements: readonly (TagNode | undefined)[], height: number): readonly Line[] | null {
	const all = lines.map((line) => {
		const element = elements[line.block];
		return element === undefined ? line : { ...line, element };
	});
	const tagged = all.filter(({ element }) => element !== undefined);
	const untagged = all.filter(({ element }) => element === undefined);
	const isInside = ({ box }: Line) => box[3] > height * marginShare && box[1] < height * (1 - marginShare);
	const [taggedCount, untaggedCount] = [charactersIn(tagged), charactersIn(untagged.filter(isInside))];
	if (taggedCount === 0 || taggedCount < (taggedCount + untaggedCount) * taggedShareMin) return null;
	if (untagged.length === 0) return all;
	const top = Math.min(...tagged.map(({ box }) => box[1]));
	const isAbove = ({ box }: Line) => box[1] < top;
	return [...untagged.filter(isAbove), ...tagged, ...untagged.filter((line) => !isAbove(line))];
}

function charactersIn(lines: readonly Line[]): number {
	return lines.reduce((sum, { text }) => sum + text.length, 0);
}
