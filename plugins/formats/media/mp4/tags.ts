/** Reads tags, lyrics and chapters of an MP4: iTunes' item list, QuickTime's user data, Nero's chapters. */

import type { ByteView } from "../byte-view.ts";
import type { Chapter } from "../cue.ts";
import { noTags, type Tags, tagsOf } from "../recording.ts";
import { type Box, boxByPath, boxesIn } from "./boxes.ts";

/** Tag names by box name. `©` is one byte, since box names are Latin-1. */
const names: ReadonlyMap<string, string> = new Map([
	["©nam", "title"],
	["titl", "title"],
	["©ART", "artist"],
	["aART", "albumartist"],
	["perf", "performer"],
	["©alb", "album"],
	["albm", "album"],
	["desc", "description"],
	["ldes", "synopsis"],
	["©des", "description"],
	["©cmt", "comment"],
	["©lyr", "lyrics"],
]);

export function tagsIn(view: ByteView, movie: Box | null): Tags {
	const userData = boxByPath(view, movie, "udta");
	const values = new Map<string, string>();
	const setTag = (box: Box, text: string) => {
		const name = names.get(box.name);
		if (name !== undefined && !values.has(name) && text.trim() !== "") values.set(name, text.trim());
	};
	for (const list of [itemList(view, userData), itemList(view, movie)])
		for (const box of list) {
			const data = boxByPath(view, box, "data");
			// The type 1 is UTF-8 text; other types are numbers and images.
			if (data !== null && data.end - data.begin > 8 && view.u32(data.begin) === 1) setTag(box, view.utf8(data.begin + 8, data.end));
		}
	for (const box of userData === null ? [] : boxesIn(view, userData.begin, userData.end)) {
		if (box.name.startsWith("©") && box.end - box.begin > 4) setTag(box, view.utf8(box.begin + 4, Math.min(box.end, box.begin + 4 + view.u16(box.begin))));
		if ((box.name === "titl" || box.name === "perf" || box.name === "albm") && box.end - box.begin > 6) setTag(box, view.utf8(box.begin + 6, box.end));
	}
	return values.size === 0 ? noTags : tagsOf(values);
}

/** The boxes of the item list. Its parent, the `meta` box, has a version field in MP4 and none in QuickTime. */
function itemList(view: ByteView, parent: Box | null): readonly Box[] {
	const meta = boxByPath(view, parent, "meta");
	if (meta === null) return [];
	const isQuickTime = meta.end - meta.begin >= 8 && view.name(meta.begin + 4) === "hdlr";
	const list = boxByPath(view, { ...meta, begin: isQuickTime ? meta.begin : meta.begin + 4 }, "ilst");
	return list === null ? [] : [...boxesIn(view, list.begin, list.end)];
}

/** The chapters in Nero's chapter list, whose times are in units of 100 ns. */
export function neroChapters(view: ByteView, movie: Box | null): readonly Chapter[] {
	const box = boxByPath(view, movie, "udta", "chpl");
	if (box === null || box.end - box.begin < 9) return [];
	const chapters: Chapter[] = [];
	let offset = box.begin + (view.u8(box.begin) === 1 ? 9 : 5);
	while (offset + 9 <= box.end) {
		const length = view.u8(offset + 8);
		chapters.push({ begin: view.u64(offset) / 10_000_000, name: view.utf8(offset + 9, Math.min(box.end, offset + 9 + length)).trim() });
		offset += 9 + length;
	}
	return chapters;
}
