/** Packs pieces into chunks near the target size. Pieces stay whole and in order, and a heading stays with the text that follows it. */

import type { ChunkDraft } from "../model/chunk.ts";
import type { Place } from "../model/extraction.ts";
import { joinPieces, type Piece, separatorBefore } from "./block-pieces.ts";

type Box = NonNullable<Place["box"]>;

/**
 * Merges the places of pieces into one. Slide, sheet and row come from the first place that has them; span and seconds cover all
 * places. Page and box are those of `mainPage` or of the first page, since a box cannot cover two pages.
 */
export function mergePlaces(places: readonly Place[], mainPage?: number): Place {
	const [first] = places;
	if (first === undefined) return {};
	if (places.length === 1) return first;
	const page = mainPage ?? places.find((place) => place.page !== undefined)?.page;
	const slide = places.find((place) => place.slide !== undefined)?.slide;
	const sheet = places.find((place) => place.sheet !== undefined)?.sheet;
	const row = places.find((place) => place.row !== undefined)?.row;
	const box = mergeBoxes(places.filter((place) => place.page === page));
	const seconds = covering(places.map((place) => place.seconds));
	const span = covering(places.map((place) => place.span));
	return {
		...(page !== undefined && { page }),
		...(box !== null && { box }),
		...(slide !== undefined && { slide }),
		...(sheet !== undefined && { sheet }),
		...(row !== undefined && { row }),
		...(seconds !== null && { seconds }),
		...(span !== null && { span }),
	};
}

function covering(ranges: readonly (readonly [number, number] | undefined)[]): readonly [number, number] | null {
	let begin = Number.POSITIVE_INFINITY;
	let end = Number.NEGATIVE_INFINITY;
	for (const range of ranges) {
		if (range === undefined) continue;
		begin = Math.min(begin, range[0]);
		end = Math.max(end, range[1]);
	}
	return end >= begin ? [begin, end] : null;
}

/** The box around all boxes; null if a place has none, because the result would then be incomplete. */
function mergeBoxes(places: readonly Place[]): Box | null {
	let merged: Box | null = null;
	for (const { box } of places) {
		if (box === undefined) return null;
		merged = merged === null ? box : boundingBox(merged, box);
	}
	return merged;
}

function boundingBox(a: Box, b: Box): Box {
	return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/**
 * About 150 to 200 English words, the size of passages in retrieval benchmarks and in the training data of small embedding models.
 * A longer chunk mixes several subjects in one vector; a shorter one often lacks the name that a pronoun refers to.
 */
const targetCharacters = 1_000;
/** Chinese, Japanese, Korean and Thai carry about twice as much meaning per character. */
const denseShare = 0.5;
/** A chunk shorter than this share of the target, such as a title, is joined to the next one if it fits; at the end, to the one before. */
const tinyShare = 0.25;
/** Once a chunk has this share of the target, it ends at the end of the page, so that its place is a single page. */
const pageShare = 0.5;
const denseScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const sampleCharacters = 10_000;

/** The target size of a chunk: smaller for dense scripts, and never over the limit. */
export function targetSize(text: string, charactersMax: number, usualTarget: number = targetCharacters): number {
	const sample = text.slice(0, sampleCharacters);
	const isDense = (sample.match(denseScript)?.length ?? 0) > sample.length * 0.3;
	return Math.min(charactersMax, isDense ? Math.ceil(usualTarget * denseShare) : usualTarget);
}

/** Packs chunks of about `target` characters and never over `charactersMax`. Every piece must fit by itself. */
export function packPieces(pieces: readonly Piece[], target: number, charactersMax: number): readonly ChunkDraft[] {
	return groupPieces(pieces, target, charactersMax).map((group) => {
		const text = joinPieces(group);
		return {
			text,
			// If every chunk of a table were indexed with the column names, a query with only these words would match them all.
			indexedText: joinPieces(group, false),
			place: mergePlaces(
				group.map((piece) => piece.place),
				mainPage(group),
			),
		};
	});
}

/** The page with most of the text; the first one if several have the same amount. */
function mainPage(group: readonly Piece[]): number | undefined {
	const lengths = new Map<number | undefined, number>();
	for (const { place, text } of group) lengths.set(place.page, (lengths.get(place.page) ?? 0) + text.length);
	return [...lengths].reduce((most, page) => (page[1] > most[1] ? page : most), [undefined, 0] as const)[0];
}

function groupPieces(pieces: readonly Piece[], target: number, charactersMax: number): readonly (readonly Piece[])[] {
	const groups: Piece[][] = [];
	let current: Piece[] = [];
	let size = 0;
	for (const piece of pieces) {
		const last = current.at(-1);
		const newSize = size + separatorBefore(last, piece).length + piece.text.length;
		const isFull = newSize > target || (size >= target * pageShare && last?.place.page !== piece.place.page);
		const isTiny = size < target * tinyShare || onlyHeadings(current);
		if (last !== undefined && isFull && !(isTiny && newSize <= charactersMax)) {
			const headings = trailingHeadings(current);
			const carriedOver = joinPieces([...headings, piece]).length <= charactersMax ? headings : [];
			groups.push(current.slice(0, current.length - carriedOver.length));
			current = [...carriedOver, piece];
			size = joinPieces(current).length;
			continue;
		}
		current.push(piece);
		size = newSize;
	}
	if (current.length > 0) groups.push(current);
	return mergeLast(groups, target, charactersMax);
}

function onlyHeadings(group: readonly Piece[]): boolean {
	return group.every((piece) => piece.block.kind === "heading");
}

/** The headings at the end of a group; none if the group consists of headings only. */
function trailingHeadings(group: readonly Piece[]): readonly Piece[] {
	let from = group.length;
	while (from > 0 && group[from - 1]?.block.kind === "heading") from--;
	return from === 0 ? [] : group.slice(from);
}

function mergeLast(groups: readonly (readonly Piece[])[], target: number, charactersMax: number): readonly (readonly Piece[])[] {
	const tail = groups.at(-1);
	const before = groups.at(-2);
	if (tail === undefined || before === undefined || joinPieces(tail).length >= target * tinyShare) return groups;
	const merged = [...before, ...tail];
	return joinPieces(merged).length <= charactersMax ? [...groups.slice(0, -2), merged] : groups;
}
