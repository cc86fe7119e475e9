/** What a wave says of itself: its list of names, or a label as MP3 has it. */

import { byteView } from "../byte-view.ts";
import { type Tags, tagsOf } from "../recording.ts";
import { readId3 } from "./id3.ts";

const names: Readonly<Record<string, string>> = { INAM: "title", IART: "artist", IPRD: "album", ICMT: "comment" };

export function readRiff(bytes: Uint8Array): Tags {
	const view = byteView(bytes);
	const values = new Map<string, string>();
	const visit = (begin: number, end: number, isList: boolean) => {
		for (let at = begin; at + 8 <= end; ) {
			const name = view.name(at);
			const size = view.u32Little(at + 4);
			const inside = at + 8;
			const field = names[name];
			if (isList && field !== undefined) values.set(field, view.utf8(inside, Math.min(end, inside + size)));
			if (!isList && name === "LIST" && inside + 4 <= end && view.name(inside) === "INFO") visit(inside + 4, Math.min(end, inside + size), true);
			if (!isList && (name === "id3 " || name === "ID3 ")) {
				const label = readId3(view.slice(inside, inside + size))?.tags;
				for (const key of ["title", "artist", "album", "lyrics"] as const) if (label?.[key] != null) values.set(key, label[key]);
			}
			at = inside + size + (size % 2);
		}
	};
	visit(12, view.length, false);
	return tagsOf(values);
}
