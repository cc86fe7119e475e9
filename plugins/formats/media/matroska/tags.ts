/** Reads tags and chapters of Matroska. */

import type { ByteView } from "../byte-view.ts";
import type { Chapter } from "../cue.ts";
import { type Tags, tagsOf } from "../recording.ts";
import { childOf, childrenOf, type Element, elementsIn, numberIn, textIn } from "./elements.ts";

const ids = {
	edition: 0x45b9,
	atom: 0xb6,
	start: 0x91,
	isHidden: 0x98,
	display: 0x80,
	displayName: 0x85,
	tag: 0x7373,
	simpleTag: 0x67c8,
	tagName: 0x45a3,
	tagText: 0x4487,
	targets: 0x63c0,
	targetTrack: 0x63c5,
} as const;

const chaptersMax = 10_000;
/** In practice chapters are not nested deeper. */
const depthMax = 4;

/** The chapters of the first edition, since other editions are alternative orders. Nested chapters come after their parent. */
export function chaptersIn(view: ByteView, chapters: Element): readonly Chapter[] {
	const edition = childOf(view, chapters, ids.edition);
	const found: Chapter[] = [];
	const visit = (parent: Element, depth: number) => {
		for (const atom of elementsIn(view, parent.begin, parent.end)) {
			if (atom.id !== ids.atom || found.length >= chaptersMax) continue;
			const name = textIn(view, childOf(view, childOf(view, atom, ids.display), ids.displayName));
			const start = childOf(view, atom, ids.start);
			const isShown = numberIn(view, childOf(view, atom, ids.isHidden), 0) === 0;
			if (name !== null && start !== null && isShown) found.push({ begin: Math.round(numberIn(view, start, 0) / 1e6) / 1000, name });
			if (depth < depthMax) visit(atom, depth + 1);
		}
	};
	if (edition !== null) visit(edition, 1);
	return found;
}

/** The tags of the whole file. Tags of single tracks are ignored, since they describe only the encoding. */
export function tagsIn(view: ByteView, lists: readonly Element[], title: string | null): Tags {
	const values = new Map<string, string>(title === null ? [] : [["title", title]]);
	for (const list of lists) {
		for (const tag of childrenOf(view, list, ids.tag)) {
			if (childOf(view, childOf(view, tag, ids.targets), ids.targetTrack) !== null) continue;
			for (const simple of childrenOf(view, tag, ids.simpleTag)) {
				const name = textIn(view, childOf(view, simple, ids.tagName))?.toLowerCase();
				const text = textIn(view, childOf(view, simple, ids.tagText));
				if (name !== undefined && text !== null && !values.has(name)) values.set(name, text);
			}
		}
	}
	return tagsOf(values);
}
