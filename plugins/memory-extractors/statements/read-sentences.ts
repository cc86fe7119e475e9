/** Splits lines into sentences with their context: the speaker, the day and the headings. */

import type { Chunk } from "cairn-memory";
import { sentenceSpans, yieldIfDue } from "cairn-memory/words";
import { detectDateOrder, readTimestamp } from "../../formats/chat/stamp.ts";
import { addressOf } from "./addressees.ts";
import { dayIn, isDateAlone } from "./days.ts";
import { directionReader, withoutDirections } from "./directions.ts";
import { asSpoken } from "./fillers.ts";
import { labelOf } from "./labels.ts";
import { letterOf, type Mail, mailAt, partOfMail } from "./mail.ts";
import { isNoise } from "./noise.ts";
import { type Line, readLines, rowText } from "./read-lines.ts";
import { type Conversation, type Speaker, speakersOf } from "./speakers.ts";
import { finiteVerbAt } from "./verbs.ts";

export interface Sentence {
	readonly chunk: Chunk;
	/** The offset in the chunk's text. */
	readonly span: readonly [number, number];
	readonly text: string;
	readonly kind: "text" | "item" | "row";
	readonly context: Context;
	/** Sentences of one turn or paragraph have the same number. */
	readonly passage: number;
	/** The number of its line. */
	readonly line: number;
}

export interface Context {
	/** The speaker; null in prose. */
	readonly speaker: Speaker | null;
	/** The person it is said to, if it is only one. */
	readonly to: string | null;
	/** The speaker to whom the turn is addressed by name; null if there is none. */
	readonly addressed: string | null;
	/** The day of the turn, the mail or a heading; null if only the document has one, and `"unclear"` if a heading has one of an unknown year. */
	readonly day: Date | "unclear" | null;
	/** The headings, outermost first. */
	readonly headings: readonly string[];
	/** The name of the file, without its extension, if it has no title. */
	readonly fileName: string | null;
}

/** How a document is called. */
export interface Names {
	readonly title: string | null;
	/** Null if there is a title. */
	readonly fileName: string | null;
}

/** What stands above the text, outermost first. */
export function pathTo({ fileName, headings }: Context): readonly string[] {
	return fileName === null ? headings : [fileName, ...headings];
}

export interface ReadSentences {
	readonly sentences: readonly Sentence[];
	readonly speakers: ReadonlyMap<string, Speaker>;
	readonly isTranscript: boolean;
}

/** A heading without a marker is a short line above longer ones. This is its maximum length. */
const headingCharactersMax = 70;
const headingWordsMax = 9;
const unmarkedLevel = 7;
/** How many of the enclosing list items are used as context. */
const itemsMax = 2;
/** Only a date in these first lines is the date of the text; further down, it belongs to a sentence. */
const headLinesMax = 3;

export async function readSentences(chunks: readonly Chunk[], documentNames: Names, documentDate: Date | null): Promise<ReadSentences> {
	const lines = await readLines(chunks);
	const dateOrder = detectDateOrder(lines.map(({ text }) => text));
	const conversation = await speakersOf(lines, dateOrder);
	const state = createState(documentNames, conversation, letterOf(lines), documentDate);
	const sentences: Sentence[] = [];
	let passage = 0;
	const isDirection = directionReader(conversation.isTranscript ? new Set(conversation.speakers.keys()) : null);
	for (const [i, line] of lines.entries()) {
		const pause = yieldIfDue();
		if (pause !== null) await pause;
		const label = line.kind === "row" || line.kind === "heading" || state.isMail() ? null : labelOf(line.text, dateOrder);
		const speaker = label === null ? null : (conversation.speakers.get(label.name.toLowerCase()) ?? null);
		if (conversation.isConversation && isDirection(line.text, speaker !== null)) continue;
		if (speaker !== null || line.isFirst || line.kind !== "text") passage++;
		if (speaker === null && (state.consumeContext(line, lines, i) || (conversation.isConversation && readTimestamp(line.text, dateOrder) !== null))) continue;
		const labelLength = label === null || speaker === null ? 0 : label.length;
		const address = speaker === null ? null : addressOf(line.text.slice(labelLength), conversation.speakers, speaker);
		if (speaker !== null) state.startTurn(speaker, label?.dateMs ?? null, address?.name ?? null);
		const context = state.context();
		const offset = line.span[0] + labelLength + (address?.length ?? 0);
		sentences.push(...sentencesIn(line, offset, { context, passage, line: i }, conversation.isTranscript));
	}
	return { sentences, speakers: conversation.speakers, isTranscript: conversation.isTranscript };
}

function sentencesIn(line: Line, offset: number, position: Pick<Sentence, "context" | "passage" | "line">, isTranscript: boolean): Sentence[] {
	const { chunk, kind } = line;
	if (kind === "heading") return [];
	const sharedFields = { chunk, kind, ...position };
	if (kind === "row") return [{ ...sharedFields, span: [line.span[0], line.span[1]], text: rowText(line) }];
	const spanText = chunk.text.slice(offset, line.span[1]).replaceAll("\n", " ");
	const words = position.context.speaker === null ? spanText : withoutDirections(spanText, isTranscript);
	return sentenceSpans(words).flatMap(([begin, end]) => {
		const text = asSpoken(plainText(words.slice(begin, end)));
		return text === "" || isNoise(text) ? [] : [{ ...sharedFields, span: [offset + begin, offset + end] as const, text }];
	});
}

/** A cheap test before the replacements. */
const markdownSign = /[*_`[]/;
/** White space that is not a single space. */
const otherThanOneSpace = /[^\S ]\s*| \s+/g;

function plainText(text: string): string {
	const plain = markdownSign.test(text) ? text.replace(/\*\*|__|`/g, "").replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, "$1") : text;
	return plain.replace(otherThanOneSpace, " ").trim();
}

interface State {
	/** Whether the line is only context: a heading, a date, the header or the signature of a mail. */
	readonly consumeContext: (line: Line, lines: readonly Line[], i: number) => boolean;
	readonly startTurn: (speaker: Speaker, dayMs: number | null, addressed: string | null) => void;
	readonly context: () => Context;
	readonly isMail: () => boolean;
}

function createState({ title, fileName }: Names, conversation: Conversation, letter: Mail | null, documentDate: Date | null): State {
	let headings: { readonly level: number; readonly text: string }[] = [];
	let speaker: Speaker | null = letter === null ? null : { name: letter.sender, role: "person" };
	let day: Context["day"] = null;
	let addressed: string | null = null;
	let mail = letter;
	let isEnded = false;
	/** Items with nested items, outermost first. */
	let items: { readonly indent: number; readonly text: string; readonly isIssue: boolean }[] = [];
	const names = [...conversation.speakers.values()].map(({ name }) => name);
	const addHeading = (level: number, text: string) => {
		const words = plainText(text).replace(/[:\s]+$/, "");
		headings = [...headings.filter((entry) => entry.level < level), { level, text: words }];
		speaker = null;
	};
	return {
		consumeContext: (line, lines, i) => {
			const found = mailAt(lines, i);
			if (found !== null) {
				mail = found;
				speaker = { name: found.sender, role: "person" };
				day = found.day ?? day;
				isEnded = false;
				headings = [];
			}
			items = line.kind === "item" ? items.filter(({ indent }) => indent < line.indent) : items.filter(({ isIssue }) => isIssue && line.kind !== "heading");
			const part = mail === null ? "message" : partOfMail(line.text);
			if (part === "end") isEnded = true;
			if (part !== "message" || isEnded) return true;
			// Behind an empty line, and in items and rows, nobody goes on to speak unless the whole text is a conversation.
			if (((line.isFirst && !line.opensChunk) || line.kind !== "text") && !conversation.isConversation && mail === null) speaker = null;
			const isTitle = i === 0 && isUnmarkedTitle(line);
			const isHeading = line.kind === "heading" || isTitle || (speaker === null && mail === null && isUnmarkedHeading(line, lines[i + 1]));
			const isDate = isDateAlone(line.text);
			if (line.isFirst && !isHeading) headings = headings.filter(({ level }) => level < unmarkedLevel);
			if (isHeading || isDate || i < headLinesMax) day = dayIn(line.text, day instanceof Date ? day : documentDate, isHeading || isDate) ?? day;
			if (isHeading && !isDate) addHeading(line.kind === "heading" ? line.level : isTitle ? 0 : unmarkedLevel, line.text);
			const [next] = lines.slice(i + 1, i + 2);
			const isIssue = line.kind === "item" && issue.test(line.text);
			if (!isHeading && (isIssue || (hasItems(line, next) && isTitleOfItems(line.text)))) {
				items = [
					...items,
					{
						indent: line.indent,
						text: plainText(line.text).replace(/[:.\s]+$/, ""),
						isIssue,
					},
				];
				return true;
			}
			return isHeading || isDate;
		},
		startTurn: (newSpeaker, dayMs, newAddressed) => {
			speaker = newSpeaker;
			addressed = newAddressed;
			if (dayMs !== null) day = new Date(dayMs);
		},
		context: () => {
			const others = names.filter((name) => name !== speaker?.name);
			const onlyOther = speaker !== null && others.length === 1 ? (others[0] ?? null) : null;
			const to = mail === null ? (addressed ?? onlyOther) : mail.recipient;
			const contextParts = [title, mail?.subject ?? null, ...headings.map(({ text }) => text), ...items.slice(-itemsMax).map(({ text }) => text)];
			const headingsAbove = [...new Set(contextParts.filter((entry) => entry !== null && entry !== ""))] as string[];
			return { speaker, to, addressed, day, headings: headingsAbove, fileName };
		},
		isMail: () => mail !== null,
	};
}

/** The title of an issue, with a link to it. In minutes, what is below it is about it: `- Move the mast [#123](https://…)`. */
const issue = /^.{1,140}\s\(?(?:\[[\w./-]*#\d+\]\(https?:[^)\s]*\)|[\w.-]+\/[\w.-]+#\d+)\)?[.:]?\s*$/u;

function hasItems({ kind, indent }: Line, next: Line | undefined): boolean {
	return kind === "item" && next?.kind === "item" && next.indent > indent;
}

/** Whether an item is only the title of its nested items. */
function isTitleOfItems(text: string): boolean {
	return /[:?]\s*$/.test(text) || finiteVerbAt(plainText(text).toLowerCase().split(/\s+/)) < 0;
}

/** `2. Water` or `Shopping` above its lines. */
function isUnmarkedHeading(line: Line, next: Line | undefined): boolean {
	const { text, kind, isFirst, chunk } = line;
	if (!isFirst || hasItems(line, next) || (kind !== "text" && kind !== "item") || next === undefined || next.isFirst || next.chunk !== chunk) return false;
	const opensList = /:\s*$/.test(text) && next.kind === "item";
	return looksLikeHeading(text) && (opensList || (next.kind === "text" && /^[\p{Lu}\p{N}"“(]/u.test(next.text.trim())));
}

/** Whether the first line of a text is a title and no sentence. */
function isUnmarkedTitle({ text, kind }: Line): boolean {
	return kind === "text" && looksLikeHeading(text) && !isDateAlone(text) && labelOf(text) === null && finiteVerbAt(text.toLowerCase().split(/\s+/)) < 0;
}

function looksLikeHeading(text: string): boolean {
	const words = text.trim().split(/\s+/);
	return (
		text.length <= headingCharactersMax &&
		words.length <= headingWordsMax &&
		/^[\p{Lu}\p{N}#]/u.test(text.trim()) &&
		!/[.!?;…,]\s*$/.test(text) &&
		!/:\s*\S/.test(text)
	);
}
