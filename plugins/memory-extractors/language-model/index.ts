/**
 * Extracts memories with the language model, and checks each of them: a memory is dropped if its quote is not in the document, if the
 * quote does not support it, or if it is an instruction to a model. It works in every language that the model knows.
 */

import { definePlugin, type ExtractedDraft, fail, type MemoryExtractor, type MemoryId, type MemoryInput } from "cairn-memory";
import { indexWords, isFaithful, isInstruction, isStopWord, isSupported, isTakeover, normalize, sentenceSpans } from "cairn-memory/words";
import { z } from "zod";
import { type Noted, readAnswer } from "./answer.ts";
import { findQuote } from "./find-quote.ts";
import { labelOf, questionAbout, rules, surroundings } from "./prompt.ts";

/** Longer texts are no small facts, and would be displayed in full. */
const memoryCharactersMax = 500;
const memoryCharactersMin = 6;
/** Two memories with this share of common words are copies. */
const overlapMax = 0.85;

export default definePlugin({
	name: "memory-extractor-language-model",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ memoryExtractor: [extractor] }),
});

const extractor: MemoryExtractor = {
	name: "language-model",
	asksModel: true,
	extract: async (input, step) => {
		if (input.chunks.length === 0) return [];
		if (step.model === undefined) throw fail("MODEL_SPENT", "none is configured");
		const noted = await step.model.ask(questionAbout(input), readAnswer);
		const drafts = noted.flatMap((each) => draftOf(each, input) ?? []);
		if (drafts.length < noted.length)
			step.log("info", "memories without support were dropped", { document: input.document.id, dropped: noted.length - drafts.length, kept: drafts.length });
		return withoutCopies(drafts);
	},
};

/** Null if a check fails. */
function draftOf(
	{ text: said, quote, kind, isStatic, subject, eventTime, forgetAfter, confidence, replaces }: Noted,
	input: MemoryInput,
): ExtractedDraft | null {
	const text = said.replaceAll(/\s+/g, " ").trim();
	if (text.length < memoryCharactersMin || text.length > memoryCharactersMax || isInstruction(text) || repeatsPrompt(text)) return null;
	const found = findQuote(quote, input.chunks);
	if (found === null) return null;
	const { chunk, span } = found;
	const evidence = chunk.text.slice(...span);
	if (isInstruction(sentencesAround(chunk.text, span)) || isTakeover(paragraphAround(chunk.text, span))) return null;
	const dates = [eventTime, forgetAfter].flatMap((date) => (date === null ? [] : [date.toISOString().slice(0, 10)]));
	const around = surroundings(input, [chunk]);
	const line = chunk.text.slice(chunk.text.lastIndexOf("\n", span[0]) + 1, sentenceEnd(chunk.text, span));
	const about = `${input.document.title ?? ""}\n${input.entityContext ?? ""}`;
	if (!isSupported({ text, quote: evidence, context: around, dates }) || !isFaithful({ text, quote: evidence, line, context: around, about })) return null;
	const isTemporary = kind === "event" || kind === "plan";
	return {
		text,
		isStatic: isStatic && !isTemporary && forgetAfter === null,
		isInference: false,
		confidence,
		subject: subject == null || subject.trim() === "" ? null : subject.trim().toLowerCase().slice(0, memoryCharactersMax),
		eventTime,
		// Only temporary facts expire. Small models fill in this field for all.
		forgetAfter: isTemporary ? forgetAfter : null,
		evidence: [{ document: input.document.id, chunk: chunk.id, span }],
		replaces: replacedBy(text, replaces ?? [], input),
	};
}

/** The known memories that the model says are replaced, if they have a word in common with the new one. */
function replacedBy(text: string, labels: readonly string[], { known = [] }: MemoryInput): readonly MemoryId[] {
	const words = new Set(indexWords(text).filter((word) => !isStopWord(word)));
	const named = known.filter((_, i) => labels.includes(labelOf(i)));
	return named.filter(({ text: before }) => indexWords(before).some((word) => words.has(word))).map(({ id }) => id);
}

function sentencesAround(text: string, [begin, end]: readonly [number, number]): string {
	const touched = sentenceSpans(text).filter(([from, to]) => from < end && to > begin);
	return text.slice(touched[0]?.[0] ?? begin, touched.at(-1)?.[1] ?? end);
}

function sentenceEnd(text: string, [begin, end]: readonly [number, number]): number {
	return sentenceSpans(text).findLast(([from, to]) => from < end && to > begin)?.[1] ?? end;
}

function paragraphAround(text: string, [begin, end]: readonly [number, number]): string {
	const after = /\n\s*\n/.exec(text.slice(end));
	const before = [...text.slice(0, begin).matchAll(/\n\s*\n/g)].at(-1);
	return text.slice(before === undefined ? 0 : before.index, after === null ? text.length : end + after.index);
}

/** Models with nothing to say sometimes repeat their instructions. */
function repeatsPrompt(text: string): boolean {
	return normalize(rules).includes(normalize(text).replace(/[.!]$/, ""));
}

/** Keeps the first of several copies. */
function withoutCopies(drafts: readonly ExtractedDraft[]): readonly ExtractedDraft[] {
	const kept: { readonly draft: ExtractedDraft; readonly words: ReadonlySet<string> }[] = [];
	for (const draft of drafts) {
		const words = new Set(indexWords(draft.text));
		const isCopy = kept.some(({ words: other }) => {
			const common = [...words].filter((word) => other.has(word)).length;
			return common >= overlapMax * (words.size + other.size - common);
		});
		if (!isCopy) kept.push({ draft, words });
	}
	return kept.map(({ draft }) => draft);
}
