/**
 * Extracts memories by rules, without a model. A memory is a statement: what was said, by whom, on which day and where. It is in the
 * third person if that is certain, otherwise unchanged with its context in front.
 */

import { definePlugin, limits, type Memory, type MemoryDraft, type MemoryExtractor, type MemoryInput } from "cairn-memory";
import { z } from "zod";
import { writtenDay } from "./days.ts";
import { type Framed, finished, frame } from "./frame.ts";
import { inferencesOf, newHome } from "./inferences.ts";
import { questionsBefore } from "./leaning.ts";
import { withoutNearCopies } from "./near-copies.ts";
import { type Statement, statementsOf } from "./passages.ts";
import { readSentences, type Sentence } from "./read-sentences.ts";
import { dateStatement } from "./relative-dates.ts";
import type { Speaker } from "./speakers.ts";
import { standsInChat, standsInSpeech } from "./standing.ts";
import { confidenceOf, isLasting, type Manner, subjectOf } from "./traits.ts";
import { wordsOf } from "./words.ts";

/** Longer texts are no small facts, and would be displayed in full. */
const memoryCharactersMax = 800;
/** Most characters of the indexed text: a path of long headings would outweigh the statement. */
const indexedCharactersMax = 1_500;
/** A text with more statements without a speaker is a book or a manual; only its most informative statements become memories. */
const shortSentencesMax = 150;
const options = z.strictObject({
	/** The most memories from one chunk of long prose. A chunk has about seven sentences. */
	prosePerChunkMax: z.number().int().min(0).max(50).default(6),
	/** The name of the author of notes that are written in the first person without a name. */
	narrator: z.string().trim().min(1).max(60).default("User"),
});

type Options = z.output<typeof options>;

export default definePlugin({
	name: "memory-extractor-statements",
	contract: 1,
	options,
	start: (chosen) => ({ memoryExtractor: [statements(chosen)] }),
});

function statements(chosen: Options): MemoryExtractor {
	return {
		name: "statements",
		version: "2",
		extract: async (input, step) => {
			const days = daysOf(input);
			const read = readSentences(input.chunks, titleOf(input), days.said);
			const sentences = narrates(read.sentences) ? read.sentences.map((sentence) => withNarrator(sentence, chosen.narrator)) : read.sentences;
			const talkers = new Set([...read.speakers.values()].flatMap(({ name }) => name.toLowerCase().split(" ")));
			step.signal.throwIfAborted();
			const questions = questionsBefore(sentences);
			const stands = read.isRecorded ? standsInSpeech : standsInChat;
			const all = statementsOf(sentences, talkers).filter((statement) => stands(statement, talkers));
			const found = withoutExcess(all, chosen.prosePerChunkMax);
			const drafts = withoutNearCopies(found.flatMap((statement) => draftsOf(statement, input, days, questions))).map(({ draft }) => draft);
			return [...drafts, ...inferencesOf(drafts)].slice(0, limits.memoriesPerDocumentMax);
		},
	};
}

interface Days {
	/** The day that `today` refers to if no turn, mail or heading has a date. */
	readonly said: Date;
	/** The date of the document in its metadata; null if it has none. */
	readonly named: Date | null;
}

function daysOf({ document }: MemoryInput): Days {
	const given = document.metadata["documentDate"];
	const date = typeof given === "string" || typeof given === "number" ? new Date(given) : null;
	const named = date === null || Number.isNaN(date.getTime()) ? null : date;
	return { said: named ?? document.createdAt, named };
}

/** The title of the document; null if it is only the beginning of the text. */
function titleOf({ document, chunks }: MemoryInput): string | null {
	const title = document.title?.trim() ?? "";
	const start = (chunks[0]?.text ?? "").slice(0, 1_000);
	return title === "" || title.endsWith("…") || start.includes(title) ? null : title;
}

/** Whether an unnamed author writes about themself: at least a fifth of the sentences are in the first person. */
function narrates(sentences: readonly Sentence[]): boolean {
	const plain = sentences.filter(({ context }) => context.speaker === null);
	const own = plain.filter(
		({ text }) => /(?<![\p{L}])(?:I|I['’](?:m|ve|ll|d)|[Mm]y|me)(?![\p{L}])/u.test(text.replace(/["“][^"”]*["”]/g, "")) && wordsOf(text).hasVerb,
	).length;
	return own >= Math.max(1, plain.length / 5);
}

function withNarrator(sentence: Sentence, narrator: string): Sentence {
	const { context } = sentence;
	const speaker: Speaker = context.speaker ?? { name: narrator, role: "writer" };
	return { ...sentence, context: { ...context, speaker } };
}

/** For long prose, keeps the most informative statements of each chunk, and all lasting facts about people. */
function withoutExcess(all: readonly Statement[], perChunkMax: number): readonly Statement[] {
	const prose = all.filter(({ sentences, texts }) => sentences[0]?.context.speaker === null && !isLasting(texts[0] ?? ""));
	if (prose.length <= shortSentencesMax) return all;
	const byChunk = Map.groupBy(prose, ({ sentences }) => sentences[0]?.chunk);
	const dropped = new Set([...byChunk.values()].flatMap((some) => [...some].sort((a, b) => weightOf(b) - weightOf(a)).slice(perChunkMax)));
	return all.filter((statement) => !dropped.has(statement));
}

function weightOf({ texts }: Statement): number {
	const words = wordsOf(texts.join(" "));
	return (words.hasFigure ? 2 : 0) + (words.hasName ? 2 : 0) + Math.min(6, words.telling) / 3;
}

interface Comparable {
	/** What counts as said twice: the words, and whose they are, but not all that stands in front of them. */
	readonly text: string;
	readonly draft: MemoryDraft;
}

function draftsOf(statement: Statement, { document }: MemoryInput, days: Days, questions: ReadonlyMap<Sentence, Sentence>): readonly Comparable[] {
	const [first] = statement.sentences;
	if (first === undefined) return [];
	const { context } = first;
	const framed = frame(statement, context.day ?? (context.speaker === null ? null : days.named));
	const isTold = context.speaker !== null || context.day !== null || days.named !== null;
	const dated = dateStatement(framed.text, context.day ?? days.said, isTold);
	const text = `${framed.front}${dated.text}`;
	if (text.length > memoryCharactersMax) return [];
	// A plan that was over before the document came is part of a story, and stays.
	const forgetAfter = dated.over !== null && dated.over > document.createdAt ? dated.over : null;
	const indexedText = indexedTextOf(statement, dated.text, context.day ?? days.named, questions.get(first) ?? null);
	const draft: MemoryDraft = {
		text,
		...(indexedText === text ? {} : { indexedText }),
		isStatic: forgetAfter === null && context.speaker?.role !== "assistant" && statement.answers === null && isLasting(statement.texts[0] ?? ""),
		isInference: false,
		confidence: confidenceOf(framed.text, mannerOf(statement, framed)),
		subject: whose(statement, framed),
		eventTime: dated.eventTime,
		forgetAfter,
		evidence: evidenceOf(statement, document.id),
	};
	return [{ text: `${context.speaker?.name ?? context.headings.at(-1) ?? ""} ${statement.answers?.text ?? ""} ${framed.text}`, draft }];
}

/** With who says it, when and where, and the line that it answers, whatever of it is shown. */
function indexedTextOf({ sentences, answers }: Statement, text: string, day: Date | null, question: Sentence | null): string {
	const context = sentences[0]?.context;
	const name = context?.speaker?.name ?? "";
	const place = [text.startsWith(name) ? "" : name, day === null ? "" : writtenDay(day), ...(context?.headings ?? [])].filter((part) => part !== "");
	const line = (answers ?? question)?.text ?? "";
	const home = context?.speaker === null ? "" : newHome(text);
	const parts = [place.length === 0 ? "" : `${place.join(", ")}:`, line, text, home].filter((part) => part !== "");
	return parts.join(" ").slice(0, indexedCharactersMax).toWellFormed();
}

function mannerOf({ answers, sentences }: Statement, { isResolved }: Framed): Manner {
	const speaker = sentences[0]?.context.speaker ?? null;
	if (speaker === null) return "prose";
	if (speaker.role === "assistant") return "assistant";
	if (answers !== null) return "answered";
	return isResolved ? "resolved" : "quoted";
}

/** The speaker of what is said of oneself; else what the statement names. */
function whose({ sentences, texts }: Statement, { text, isResolved }: Framed): string | null {
	const speaker = sentences[0]?.context.speaker ?? null;
	if (isResolved) return subjectOf(text, ...(speaker === null ? [] : [speaker.name]));
	const [first = ""] = texts;
	if (speaker !== null && wordsOf(first).isOwn) return speaker.name.toLowerCase();
	return speaker === null ? subjectOf(finished(first)) : null;
}

/** Neighbouring sentences of one chunk are cited together. */
function evidenceOf({ sentences, answers }: Statement, document: Memory["evidence"][number]["document"]): Memory["evidence"] {
	const cited = answers !== null && answers.chunk === sentences[0]?.chunk ? [{ chunk: answers.chunk.id, span: answers.span }] : [];
	for (const { chunk, span } of sentences) {
		const last = cited.at(-1);
		const isNext = last !== undefined && last.chunk === chunk.id && answers?.span !== last.span;
		if (isNext) cited[cited.length - 1] = { chunk: chunk.id, span: [last.span[0], span[1]] };
		else cited.push({ chunk: chunk.id, span });
	}
	return cited.map((one) => ({ document, ...one }));
}
