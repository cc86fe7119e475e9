/** Memory extractors that break one promise each, and the contract tests that must notice. */

import { asId, type MemoryDraft, type MemoryExtractor, type MemoryInput } from "cairn-memory";
import type { ChunkId } from "cairn-memory/stores";
import type { Mutant } from "../mutant.ts";

type Change = (drafts: readonly MemoryDraft[], reading: MemoryInput, calls: number) => readonly MemoryDraft[];

/** @param sound a memory extractor that passes all contract tests; each mutant spoils its answer. */
export function memoryExtractorMutants(sound: MemoryExtractor): readonly Mutant<MemoryExtractor>[] {
	const spoiled = (name: string, change: Change, contractTest: string): Mutant<MemoryExtractor> => ({
		name,
		contractTests: [contractTest],
		start: async () => spoil(sound, change),
	});
	const each = (name: string, change: (draft: MemoryDraft) => MemoryDraft, contractTest: string) => spoiled(name, (drafts) => drafts.map(change), contractTest);
	return [
		{ name: "nameless", contractTests: ["a memory extractor has a name"], start: async () => ({ ...sound, name: "" }) },
		spoiled("dreams", (drafts, { chunks }) => (chunks.length === 0 ? [invented("It was night.")] : drafts), "no chunks, no memories"),
		spoiled("keeps every line", (_, { chunks }) => chunks.map(({ text }) => invented(text)), "nothing out of chunks without facts"),
		spoiled("sleeps", () => [], "a plain fact is found"),
		each(
			"cites a chunk of its own",
			(draft) => ({ ...draft, evidence: invented("").evidence }),
			"every memory cites chunks that exist, and spans with text in them",
		),
		each("cites nothing", (draft) => ({ ...draft, evidence: [] }), "every memory cites chunks that exist, and spans with text in them"),
		each(
			"cites behind the end",
			(draft) => ({ ...draft, evidence: draft.evidence.map((one) => ({ ...one, span: [0, 1_000_000] as const })) }),
			"every memory cites chunks that exist, and spans with text in them",
		),
		each("writes blanks", (draft) => ({ ...draft, text: " " }), "no memory is blank"),
		each("is surer than sure", (draft) => ({ ...draft, confidence: 7 }), "a confidence is from 0 to 1"),
		spoiled(
			"says all twice",
			(drafts) => drafts.flatMap((draft) => [draft, { ...draft, text: `${draft.text} And so it is.` }]),
			"no near-copies within one answer",
		),
		spoiled("changes its mind", (drafts, _, calls) => drafts.slice(calls % 2), "same in, same out"),
	];
}

function spoil(sound: MemoryExtractor, change: Change): MemoryExtractor {
	let calls = 0;
	return { ...sound, extract: async (reading, step) => change(await sound.extract(reading, step), reading, ++calls) };
}

function invented(text: string): MemoryDraft {
	const chunk = asId<ChunkId>("z".repeat(22));
	const document = asId<MemoryDraft["evidence"][number]["document"]>("z".repeat(22));
	return {
		text,
		isStatic: false,
		isInference: false,
		confidence: 1,
		subject: null,
		eventTime: null,
		forgetAfter: null,
		evidence: [{ document, chunk, span: [0, 1] }],
	};
}
