/** Reads how an AVIF has to be turned and mirrored to stand upright. Its decoder gives the pixels as they are stored. */

import { ServiceError } from "cairn-memory";
import { type ByteView, byteView } from "../media/byte-view.ts";
import { type Box, boxByPath, boxesIn } from "../media/mp4/boxes.ts";

/** By quarter turns against the clock, then mirrored: not, top and bottom, left and right. As in the notes on `irot` and `imir` in ISO/IEC 23008-12. */
const orientations: readonly (readonly number[])[] = [
	[1, 4, 2],
	[8, 5, 7],
	[3, 2, 4],
	[6, 7, 5],
];
/** After the version and the flags of a box. */
const versionBytes = 4;

/** @returns an EXIF orientation; 1, which is upright, also if it cannot be read */
export function avifOrientation(bytes: Uint8Array): number {
	try {
		return orientationOf(byteView(bytes));
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		return 1;
	}
}

function orientationOf(view: ByteView): number {
	const meta = boxByPath(view, { name: "", start: 0, begin: 0, end: view.length }, "meta");
	const inside = meta === null ? null : { ...meta, begin: meta.begin + versionBytes };
	const primary = boxByPath(view, inside, "pitm");
	const properties = boxByPath(view, inside, "iprp", "ipco");
	const associations = boxByPath(view, inside, "iprp", "ipma");
	if (primary === null || properties === null || associations === null) return 1;
	const numbers = propertiesOf(view, associations, itemAt(view, primary.begin + versionBytes, view.u8(primary.begin) > 0));
	const used = [...boxesIn(view, properties.begin, properties.end)].filter((_, i) => numbers.has(i + 1));
	const angle = used.find(({ name }) => name === "irot");
	const mirror = used.find(({ name }) => name === "imir");
	const quarterTurns = angle === undefined ? 0 : view.u8(angle.begin) & 3;
	return orientations[quarterTurns]?.[mirror === undefined ? 0 : 1 + (view.u8(mirror.begin) & 1)] ?? 1;
}

/** The numbers of the properties that an item has, from 1. */
function propertiesOf(view: ByteView, { begin, end }: Box, wanted: number): ReadonlySet<number> {
	const isLongItem = view.u8(begin) > 0;
	const isLongNumber = (view.u8(begin + 3) & 1) === 1;
	const found = new Set<number>();
	const entries = view.u32(begin + versionBytes);
	let offset = begin + versionBytes + 4;
	for (let entry = 0; entry < entries && offset < end; entry++) {
		const item = itemAt(view, offset, isLongItem);
		offset += isLongItem ? 4 : 2;
		const count = view.u8(offset++);
		for (let i = 0; i < count; i++, offset += isLongNumber ? 2 : 1) {
			if (item === wanted) found.add(isLongNumber ? view.u16(offset) & 0x7fff : view.u8(offset) & 0x7f);
		}
	}
	return found;
}

function itemAt(view: ByteView, offset: number, isLong: boolean): number {
	return isLong ? view.u32(offset) : view.u16(offset);
}
