/** What a chunk needs to be understood by itself: the headings above its text, and the caption of its table. */

import type { Block, Place } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import { cutText } from "../text/cut-text.ts";

type Surroundings = Pick<Place, "headings" | "caption">;

/** A paragraph that begins with a word and a number, as in `Table 3: Prices`, is the caption of the table beside it. */
const numbered = /^\p{Lu}[\p{L}.]{2,15} \d{1,3}[A-Za-z]?(\.\d{1,3})?\s?[.:–—-]\s/u;

/**
 * Returns a function that finds the surroundings of a chunk. Chunks are taken in reading order; each costs a binary search, and each table
 * is walked once. A chunk without a span has none, and neither have the chunks of blocks without spans.
 */
export function surroundingsIn(blocks: readonly Block[]): (chunk: Place) => Surroundings {
	const captionOf = captionsIn(blocks);
	const endOf = (index: number) => blocks[index]?.place.span?.[1] ?? Number.POSITIVE_INFINITY;
	const beginsBefore = (index: number, end: number) => (blocks[index]?.place.span?.[0] ?? Number.POSITIVE_INFINITY) < end;
	return ({ span }) => {
		if (span === undefined) return {};
		const from = firstIndex(blocks.length, (index) => endOf(index) > span[0]);
		if (blocks[from]?.place.span === undefined) return {};
		let body = from;
		while (blocks[body]?.kind === "heading" && beginsBefore(body + 1, span[1])) body++;
		let row = body;
		while (blocks[row]?.kind !== "row" && beginsBefore(row + 1, span[1])) row++;
		const headings = shortPath(blocks[body]?.headings ?? []);
		const caption = captionOf(row);
		return { ...(headings.length > 0 && { headings }), ...(caption !== null && { caption }) };
	};
}

/** The first index that fulfils the condition, which holds for all indexes after it; `length` if there is none. */
function firstIndex(length: number, isFulfilled: (index: number) => boolean): number {
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (isFulfilled(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** The path on single lines. The outermost headings are left out if it would be too long. */
function shortPath(headings: readonly string[]): readonly string[] {
	const path = headings.map((heading) => cutText(heading.replace(/\s+/g, " ").trim(), limits.headingCharactersMax)).filter((heading) => heading !== "");
	return path.slice(-limits.headingsShownMax);
}

/** Returns a function from the index of a row to the caption of its table. The last answer is kept, since the chunks of a table follow each other. */
function captionsIn(blocks: readonly Block[]): (row: number) => string | null {
	let known: { readonly table: number; readonly caption: string | null } | null = null;
	return (row) => {
		const block = blocks[row];
		if (block?.kind !== "row") return null;
		if (known?.table !== block.table) known = { table: block.table, caption: captionBeside(blocks, row, block.table) };
		return known.caption;
	};
}

/** The caption before a table, otherwise a numbered one after it. */
function captionBeside(blocks: readonly Block[], row: number, table: number): string | null {
	const isOfTable = (index: number) => {
		const block = blocks[index];
		return block?.kind === "row" && block.table === table;
	};
	let before = row - 1;
	while (isOfTable(before)) before--;
	let after = row + 1;
	while (isOfTable(after)) after++;
	const above = blocks[before];
	if (above !== undefined && (above.kind === "caption" || isNumbered(above))) return cutText(above.text.trim(), limits.captionCharactersMax);
	const below = blocks[after];
	return below !== undefined && isNumbered(below) ? cutText(below.text.trim(), limits.captionCharactersMax) : null;
}

function isNumbered({ kind, text }: Block): boolean {
	return (kind === "caption" || kind === "paragraph") && text.length <= limits.captionCharactersMax && numbered.test(text.trim());
}
