/** Keeps contents that searches have read, so that the store is only asked where they are. The content of an id never changes. */

import type { IndexSource } from "../ports/index-source.ts";

/** All organisations and spaces together. */
const bytesMax = 16 * 1024 * 1024;

export interface ReadContents<Content> {
	readonly of: (ids: readonly string[]) => ReadonlyMap<string, Content>;
	readonly add: (found: readonly (Content & { readonly id: string })[]) => void;
}

/** @returns by a name for organisation and space: what was read of it */
export function readContents<Content>(contentOf: (found: Content) => Content, bytesOf: (content: Content) => number): (room: string) => ReadContents<Content> {
	const kept = new Map<string, Content>();
	let bytes = 0;

	function keep(key: string, content: Content): void {
		const known = kept.get(key);
		kept.delete(key);
		kept.set(key, known ?? content);
		if (known === undefined) bytes += bytesOf(content);
		for (const [oldest, dropped] of kept) {
			if (bytes <= bytesMax) return;
			kept.delete(oldest);
			bytes -= bytesOf(dropped);
		}
	}

	return (room) => ({
		of: (ids) => {
			const found = new Map<string, Content>();
			for (const id of ids) {
				const content = kept.get(`${room} ${id}`);
				if (content !== undefined) found.set(id, content);
			}
			return found;
		},
		add: (found) => {
			for (const each of found) keep(`${room} ${each.id}`, contentOf(each));
		},
	});
}

/** The source that reads no content twice. */
export function readingOnce<Content>(source: IndexSource<Content>, contents: ReadContents<Content>): IndexSource<Content> {
	const noted = <Found extends Content & { readonly id: string }>(found: readonly Found[], known?: ReadonlyMap<string, Content>): readonly Found[] => {
		contents.add(known === undefined ? found : found.filter(({ id }) => !known.has(id)));
		return found;
	};
	const withKnown = (ids: readonly string[], known: ReadonlyMap<string, Content> = new Map()) => new Map([...contents.of(ids), ...known]);
	return {
		...source,
		chunksIn: async (ids, scope, known) => noted(await source.chunksIn(ids, scope, withKnown(ids, known)), known),
		memoriesIn: async (ids, memoryFilter, known) => noted(await source.memoriesIn(ids, memoryFilter, withKnown(ids, known)), known),
	};
}
