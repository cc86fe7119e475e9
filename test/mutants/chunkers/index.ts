/** Chunkers that break one promise each, and the contract tests that must notice. */

import type { ChunkDraft, Chunker } from "cairn-memory";
import type { Mutant } from "../mutant.ts";

type Change = (drafts: readonly ChunkDraft[], calls: number) => readonly ChunkDraft[];

/** @param sound a chunker that passes all contract tests; each mutant spoils its answer. */
export function chunkerMutants(sound: Chunker): readonly Mutant<Chunker>[] {
	const spoiled = (name: string, change: Change, contractTest: string): Mutant<Chunker> => ({
		name,
		contractTests: [contractTest],
		start: async () => spoil(sound, change),
	});
	return [
		{ name: "nameless", contractTests: ["a chunker has a name and says what it accepts"], start: async () => ({ ...sound, name: " " }) },
		spoiled(
			"greets an empty document",
			(drafts) => (drafts.length === 0 ? [{ text: "empty", indexedText: "empty", place: {} }] : drafts),
			"nothing in, nothing out",
		),
		spoiled("adds a blank", (drafts) => (drafts.length === 0 ? [] : [...drafts, { text: " ", indexedText: "\n", place: {} }]), "no chunk is blank"),
		{
			name: "ignores the limit",
			contractTests: ["no chunk is over the limit"],
			start: async () => ({ ...sound, chunk: (extraction, _, step) => sound.chunk(extraction, { charactersMax: 3_000 }, step) }),
		},
		spoiled("cuts pairs in two", (drafts) => drafts.flatMap(halves), "no character is cut in two"),
		spoiled("shuffles", (drafts) => drafts.toReversed(), "chunks are in order"),
		spoiled("loses the last chunk", (drafts) => (drafts.length > 1 ? drafts.slice(0, -1) : drafts), "no text of a block is lost"),
		spoiled(
			"points behind the end",
			(drafts) => drafts.map((draft) => ({ ...draft, place: { ...draft.place, span: [0, 9_000_000] } })),
			"spans lie inside the text",
		),
		spoiled("forgets the place", (drafts) => drafts.map((draft) => ({ ...draft, place: {} })), "what is known of a place is not lost"),
		spoiled(
			"counts its calls",
			(drafts, calls) => drafts.map((draft) => ({ ...draft, indexedText: `${draft.indexedText.slice(0, 60)} ${calls}` })),
			"same in, same out",
		),
		spoiled("drops long lines", (drafts) => (drafts.length > 200 ? drafts.slice(0, 1) : drafts), "a megabyte in one line takes bounded processor time"),
	];
}

function spoil(sound: Chunker, change: Change): Chunker {
	let calls = 0;
	return { ...sound, chunk: async (extraction, limits, step) => change(await sound.chunk(extraction, limits, step), ++calls) };
}

/** Two chunks for one, parted after the first half of a pair if there is one. */
function halves(draft: ChunkDraft): readonly ChunkDraft[] {
	const at = /[\uD800-\uDBFF](?=[\uDC00-\uDFFF])/.exec(draft.text)?.index;
	if (at === undefined) return [draft];
	const [left, right] = [draft.text.slice(0, at + 1), draft.text.slice(at + 1)];
	return [
		{ ...draft, text: left, indexedText: left },
		{ ...draft, text: right, indexedText: right },
	];
}
