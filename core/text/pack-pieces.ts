/** Packs pieces into chunks of a good size: whole, in order, a heading always with what follows it. */

import type { ChunkDraft } from "../model/chunk.ts";
import type { Place } from "../model/extraction.ts";
import { joinPieces, jointBefore, type Piece } from "./block-pieces.ts";

type Box = NonNullable<Place["box"]>;

/**
 * Slide, sheet and row are those of the first that names them; span and seconds reach from first to last. Page and box are
 * those of one page, the first or the one that is named: a box around boxes of two pages would lie nowhere.
 */
export function unitePlaces(places: readonly Place[], mainPage?: number): Place {
	const [first] = places;
	if (first === undefined) return {};
	if (places.length === 1) return first;
	const page = mainPage ?? places.find((place) => place.page !== undefined)?.page;
	const slide = places.find((place) => place.slide !== undefined)?.slide;
	const sheet = places.find((place) => place.sheet !== undefined)?.sheet;
	const row = places.find((place) => place.row !== undefined)?.row;
	const box = uniteBoxes(places.filter((place) => place.page === page));
	const seconds = reach(places.map((place) => place.seconds));
	const span = reach(places.map((place) => place.span));
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

function reach(ranges: readonly (readonly [number, number] | undefined)[]): readonly [number, number] | null {
	let begin = Number.POSITIVE_INFINITY;
	let end = Number.NEGATIVE_INFINITY;
	for (const range of ranges) {
		if (range === undefined) continue;
		begin = Math.min(begin, range[0]);
		end = Math.max(end, range[1]);
	}
	return end >= begin ? [begin, end] : null;
}

/** Null as soon as one has none: then the others would tell only a part. */
function uniteBoxes(places: readonly Place[]): Box | null {
	let united: Box | null = null;
	for (const { box } of places) {
		if (box === undefined) return null;
		united = united === null ? box : around(united, box);
	}
	return united;
}

function around(a: Box, b: Box): Box {
	return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/**
 * About 150 to 200 English words: passages of this size are what retrieval collections and small embedding models are made
 * of. A longer one mixes subjects in one vector, a shorter one loses who "it" is.
 */
const targetCharacters = 1_000;
/** Chinese, Japanese, Korean and Thai say about twice as much per character. */
const wideShare = 0.5;
/** A chunk shorter than this share of the target, such as a title, joins the one after it, or as the last the one before it, if it fits. */
const crumbShare = 0.25;
/** With so much of the target a chunk ends where the page does: then its place is one page, and all of it. */
const pageShare = 0.5;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const sampleCharacters = 10_000;

/** The size to aim at: within the limit, by the script of the text, or as it is wished for. */
export function targetSize(text: string, charactersMax: number, wanted: number = targetCharacters): number {
	const sample = text.slice(0, sampleCharacters);
	const isWide = (sample.match(wide)?.length ?? 0) > sample.length * 0.3;
	return Math.min(charactersMax, isWide ? Math.ceil(wanted * wideShare) : wanted);
}

/** Chunks of about `target` and never over `charactersMax`; every piece is expected to fit. */
export function packPieces(pieces: readonly Piece[], target: number, charactersMax: number): readonly ChunkDraft[] {
	return groups(pieces, target, charactersMax).map((group) => {
		const text = joinPieces(group);
		return {
			text,
			// Names of columns in the index of every part would make all of them answer a question that has only these words.
			indexedText: joinPieces(group, false),
			place: unitePlaces(
				group.map((piece) => piece.place),
				mainPage(group),
			),
		};
	});
}

/** The page on which most of it stands; the first where none has more. */
function mainPage(group: readonly Piece[]): number | undefined {
	const lengths = new Map<number | undefined, number>();
	for (const { place, text } of group) lengths.set(place.page, (lengths.get(place.page) ?? 0) + text.length);
	return [...lengths].reduce((most, page) => (page[1] > most[1] ? page : most), [undefined, 0] as const)[0];
}

function groups(pieces: readonly Piece[], target: number, charactersMax: number): readonly (readonly Piece[])[] {
	const done: Piece[][] = [];
	let open: Piece[] = [];
	let size = 0;
	for (const piece of pieces) {
		const last = open.at(-1);
		const grown = size + jointBefore(last, piece).length + piece.text.length;
		const isFull = grown > target || (size >= target * pageShare && last?.place.page !== piece.place.page);
		const saysLittle = size < target * crumbShare || onlyHeadings(open);
		if (last !== undefined && isFull && !(saysLittle && grown <= charactersMax)) {
			const kept = trailingHeadings(open);
			const carried = joinPieces([...kept, piece]).length <= charactersMax ? kept : [];
			done.push(open.slice(0, open.length - carried.length));
			open = [...carried, piece];
			size = joinPieces(open).length;
			continue;
		}
		open.push(piece);
		size = grown;
	}
	if (open.length > 0) done.push(open);
	return joinTail(done, target, charactersMax);
}

function onlyHeadings(group: readonly Piece[]): boolean {
	return group.every((piece) => piece.block.kind === "heading");
}

/** The headings at the end of a group that has something else before them. */
function trailingHeadings(group: readonly Piece[]): readonly Piece[] {
	let from = group.length;
	while (from > 0 && group[from - 1]?.block.kind === "heading") from--;
	return from === 0 ? [] : group.slice(from);
}

function joinTail(done: readonly (readonly Piece[])[], target: number, charactersMax: number): readonly (readonly Piece[])[] {
	const tail = done.at(-1);
	const before = done.at(-2);
	if (tail === undefined || before === undefined || joinPieces(tail).length >= target * crumbShare) return done;
	const together = [...before, ...tail];
	return joinPieces(together).length <= charactersMax ? [...done.slice(0, -2), together] : done;
}
