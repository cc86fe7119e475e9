/** Reads tags, lyrics and chapters of an MP4: iTunes' item list, QuickTime's user data, Nero's chapters. */

import type { ByteView } from "../byte-view.ts";
import type { Chapter } from "../cue.ts";
import { noTags, type Tags, tagsOf } from "../recording.ts";
import { type Box, boxAt, boxesIn } from "./boxes.ts";

/** `©` is one byte here, as box names are Latin-1. */
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
	const user = boxAt(view, movie, "udta");
	const values = new Map<string, string>();
	const put = (box: Box, text: string) => {
		const name = names.get(box.name);
		if (name !== undefined && !values.has(name) && text.trim() !== "") values.set(name, text.trim());
	};
	for (const list of [itemList(view, user), itemList(view, movie)])
		for (const box of list) {
			const data = boxAt(view, box, "data");
			// 1 is UTF-8; others are numbers and images.
			if (data !== null && data.end - data.begin > 8 && view.u32(data.begin) === 1) put(box, view.utf8(data.begin + 8, data.end));
		}
	for (const box of user === null ? [] : boxesIn(view, user.begin, user.end)) {
		if (box.name.startsWith("©") && box.end - box.begin > 4) put(box, view.utf8(box.begin + 4, Math.min(box.end, box.begin + 4 + view.u16(box.begin))));
		if ((box.name === "titl" || box.name === "perf" || box.name === "albm") && box.end - box.begin > 6) put(box, view.utf8(box.begin + 6, box.end));
	}
	return values.size === 0 ? noTags : tagsOf(values);
}

/** The `meta` box has a version field in MP4 and none in QuickTime. */
function itemList(view: ByteView, around: Box | null): readonly Box[] {
	const meta = boxAt(view, around, "meta");
	if (meta === null) return [];
	const isPlain = meta.end - meta.begin >= 8 && view.name(meta.begin + 4) === "hdlr";
	const list = boxAt(view, { ...meta, begin: isPlain ? meta.begin : meta.begin + 4 }, "ilst");
	return list === null ? [] : [...boxesIn(view, list.begin, list.end)];
}

/** Nero's list has times in units of 100 ns. */
export function listedChapters(view: ByteView, movie: Box | null): readonly Chapter[] {
	const box = boxAt(view, movie, "udta", "chpl");
	if (box === null || box.end - box.begin < 9) return [];
	const chapters: Chapter[] = [];
	let at = box.begin + (view.u8(box.begin) === 1 ? 9 : 5);
	while (at + 9 <= box.end) {
		const length = view.u8(at + 8);
		chapters.push({ begin: view.u64(at) / 10_000_000, name: view.utf8(at + 9, Math.min(box.end, at + 9 + length)).trim() });
		at += 9 + length;
	}
	return chapters;
}
