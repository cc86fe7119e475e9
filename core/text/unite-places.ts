/** The place of several blocks together, from the first to the last. */

import type { Place } from "../model/extraction.ts";

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
