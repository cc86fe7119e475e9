/**
 * The rules by which memories are extracted without a model. A memory is a statement: what was said, by whom, on which day and where. It is in the
 * third person if that is certain, otherwise unchanged with its context in front.
 */

import { limits, type Memory, type MemoryDraft, type MemoryInput } from "cairn-memory";
import { yieldIfDue } from "cairn-memory/words";
import { writtenDay } from "./days.ts";
import { questionsBefore } from "./dependent-sentences.ts";
import { type Statement, statementsOf } from "./group-statements.ts";
import { inferencesOf, newHome } from "./inferences.ts";
import { confidenceOf, isLasting, type Manner, subjectOf } from "./memory-properties.ts";
import { withoutNearCopies } from "./near-copies.ts";
import type { Options } from "./options.ts";
import { asSentence, type FramedStatement, frame } from "./phrase-statement.ts";
import { type Context, type Names, pathTo, readSentences, type Sentence } from "./read-sentences.ts";
import { dateStatement } from "./relative-dates.ts";
import { isSelfContainedInChat, isSelfContainedInSpeech } from "./self-contained.ts";
import type { Speaker } from "./speakers.ts";
import { wordFeatures } from "./word-features.ts";

/** Longer texts are left out: they are not short facts, and memories are displayed in full. */
const memoryCharactersMax = 800;
/** The maximum length of the indexed text, since a path of long headings would outweigh the statement. */
const indexedCharactersMax = 1_500;
/** A text with more statements without a speaker is a book or a manual; only its most informative statements become memories. */
const shortSentencesMax = 150;

/** All memories of a document, in the order of its text. */
export async function extractMemories(input: MemoryInput, chosenOptions: Options, signal: AbortSignal): Promise<readonly MemoryDraft[]> {
	const documentDate = statedDate(input);
	const result = await readSentences(input.chunks, namesOf(input), documentDate);
	const days = { documentDate, spokenOn: documentDate ?? (result.isTranscript || hasOwnDays(result.sentences) ? null : input.document.referenceDate) };
	const hasOneAuthor = !hasCaptions(input.chunks) && isFirstPersonText(result.sentences);
	const sentences = hasOneAuthor ? result.sentences.map((sentence) => withNarrator(sentence, chosenOptions.narrator)) : result.sentences;
	const talkers = new Set([...result.speakers.values()].flatMap(({ name }) => name.toLowerCase().split(" ")));
	signal.throwIfAborted();
	const questions = questionsBefore(sentences);
	const isSelfContained = result.isTranscript ? isSelfContainedInSpeech : isSelfContainedInChat;
	const all: Statement[] = [];
	for (const statement of await statementsOf(sentences, talkers)) {
		if (isSelfContained(statement, talkers)) all.push(statement);
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	const comparable: Comparable[] = [];
	for (const statement of withoutExcess(all, chosenOptions.prosePerChunkMax)) {
		comparable.push(...draftsOf(statement, input, days, questions));
		const pause = yieldIfDue();
		if (pause !== null) await pause;
	}
	const drafts = (await withoutNearCopies(comparable)).map(({ draft }) => draft);
	return [...drafts, ...inferencesOf(drafts)].slice(0, limits.memoriesPerDocumentMax);
}

interface Days {
	/** The date of the document in its metadata; null if it has none. */
	readonly documentDate: Date | null;
	/** The day that `today` refers to if no turn, mail or heading has a date; null if it is not known. */
	readonly spokenOn: Date | null;
}

function statedDate({ document }: MemoryInput): Date | null {
	const metadataDate = document.metadata["documentDate"];
	const date = typeof metadataDate === "string" || typeof metadataDate === "number" ? new Date(metadataDate) : null;
	return date === null || Number.isNaN(date.getTime()) ? null : date;
}

/** Whether the text has days of its own. Then it is a record, and what stands outside of these days was not written on the day it was added. */
function hasOwnDays(sentences: readonly Sentence[]): boolean {
	return sentences.some(({ context }) => context.day !== null);
}

/** The title of the document, unless it is only the beginning of the text. The name of a file is no title: nobody has written it above the text. */
function namesOf({ document, chunks }: MemoryInput): Names {
	const title = document.title?.trim() ?? "";
	if (title !== "" && title === document.fileName?.trim()) return { title: null, fileName: title.replace(/(?<=[^.])\.\p{L}[\p{L}\p{N}]{0,5}$/u, "") };
	const start = (chunks[0]?.text ?? "").slice(0, 1_000);
	return { title: title === "" || title.endsWith("…") || start.includes(title) ? null : title, fileName: null };
}

/** Changes of speaker in live captions, which name nobody. */
const speakerChange = /(?:^|\s)>> \S/gm;
const speakerChangesMin = 3;
const quotedLine = /^> /m;

/** Whether the text is the captions of a broadcast, in which `>>` begins each turn. In a mail it begins a line that is quoted twice. */
function hasCaptions(chunks: MemoryInput["chunks"]): boolean {
	const changes = chunks.reduce((sum, { text }) => sum + (text.match(speakerChange)?.length ?? 0), 0);
	return changes >= speakerChangesMin && !chunks.some(({ text }) => quotedLine.test(text));
}

/** Whether an unnamed author writes about themself: at least a fifth of the sentences are in the first person. */
function isFirstPersonText(sentences: readonly Sentence[]): boolean {
	const withoutSpeaker = sentences.filter(({ context }) => context.speaker === null);
	const firstPersonCount = withoutSpeaker.filter(
		({ text }) => /(?<![\p{L}])(?:I|I['’](?:m|ve|ll|d)|[Mm]y|me)(?![\p{L}])/u.test(text.replace(/["“][^"”]*["”]/g, "")) && wordFeatures(text).hasVerb,
	).length;
	return firstPersonCount >= Math.max(1, withoutSpeaker.length / 5);
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
	const dropped = new Set(
		[...byChunk.values()].flatMap((chunkStatements) => [...chunkStatements].sort((a, b) => informationScore(b) - informationScore(a)).slice(perChunkMax)),
	);
	return all.filter((statement) => !dropped.has(statement));
}

function informationScore({ texts }: Statement): number {
	const features = wordFeatures(texts.join(" "));
	return (features.hasNumber ? 2 : 0) + (features.hasName ? 2 : 0) + Math.min(6, features.significantCount) / 3;
}

interface Comparable {
	/** The text by which near-copies are found: speaker or heading, the question, and the statement, without its other context. */
	readonly text: string;
	readonly draft: MemoryDraft;
}

function draftsOf(statement: Statement, { document }: MemoryInput, days: Days, questions: ReadonlyMap<Sentence, Sentence>): readonly Comparable[] {
	const [first] = statement.sentences;
	if (first === undefined) return [];
	const { context } = first;
	const shownDay = context.day ?? (context.speaker === null ? null : days.documentDate);
	const framed = frame(statement, shownDay === "unclear" ? null : shownDay);
	const dated = dateStatement(framed.text, spokenDay(context, days));
	const text = `${framed.prefix}${dated.text}`;
	if (text.length > memoryCharactersMax) return [];
	// A plan that was over before the document was added is part of a story, and is not forgotten.
	const forgetAfter = dated.endsAt !== null && dated.endsAt > document.createdAt ? dated.endsAt : null;
	const indexedDay = context.day ?? days.documentDate;
	const indexedText = indexedTextOf(statement, dated.text, indexedDay === "unclear" ? null : indexedDay, questions.get(first) ?? null);
	const draft: MemoryDraft = {
		text,
		...(indexedText === text ? {} : { indexedText }),
		isStatic: forgetAfter === null && context.speaker?.role !== "assistant" && statement.answers === null && isLasting(statement.texts[0] ?? ""),
		isInference: false,
		confidence: confidenceOf(framed.text, mannerOf(statement, framed)),
		subject: memorySubject(statement, framed),
		eventTime: dated.eventTime,
		forgetAfter,
		evidence: evidenceOf(statement, document.id),
	};
	return [{ text: `${context.speaker?.name ?? context.headings.at(-1) ?? ""} ${statement.answers?.text ?? ""} ${framed.text}`, draft }];
}

/** The day that the statement's `today` refers to. An article without a date is about no day that is known, whoever adds it. */
function spokenDay({ day, speaker }: Context, { spokenOn, documentDate }: Days): Date | null {
	if (day === "unclear") return null;
	return day ?? (speaker === null ? documentDate : spokenOn);
}

/** The statement with its speaker, date, headings, and the line that it answers, even if the memory's text leaves these out. */
function indexedTextOf({ sentences, answers }: Statement, text: string, day: Date | null, question: Sentence | null): string {
	const context = sentences[0]?.context;
	const name = context?.speaker?.name ?? "";
	const contextParts = [text.startsWith(name) ? "" : name, day === null ? "" : writtenDay(day), ...(context === undefined ? [] : pathTo(context))].filter(
		(part) => part !== "",
	);
	const line = (answers ?? question)?.text ?? "";
	const inferredHome = context?.speaker === null ? "" : newHome(text);
	const parts = [contextParts.length === 0 ? "" : `${contextParts.join(", ")}:`, line, text, inferredHome].filter((part) => part !== "");
	return parts.join(" ").slice(0, indexedCharactersMax).toWellFormed();
}

function mannerOf({ answers, sentences }: Statement, { isThirdPerson }: FramedStatement): Manner {
	const speaker = sentences[0]?.context.speaker ?? null;
	if (speaker === null) return "prose";
	if (speaker.role === "assistant") return "assistant";
	if (answers !== null) return "answered";
	return isThirdPerson ? "resolved" : "quoted";
}

/** The subject of the memory: the speaker if the statement is in the first person, otherwise whom or what it names. */
function memorySubject({ sentences, texts }: Statement, { text, isThirdPerson }: FramedStatement): string | null {
	const speaker = sentences[0]?.context.speaker ?? null;
	if (isThirdPerson) return subjectOf(text, ...(speaker === null ? [] : [speaker.name]));
	const [first = ""] = texts;
	if (speaker !== null && wordFeatures(first).isFirstPerson) return speaker.name.toLowerCase();
	return speaker === null ? subjectOf(asSentence(first)) : null;
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
	return cited.map((citation) => ({ document, ...citation }));
}
