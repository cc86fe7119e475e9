/** Lines → sentences, each with what it needs to be understood elsewhere: who says it, on which day, under which headings. */

import type { Chunk } from "cairn-memory";
import { sentenceSpans } from "cairn-memory/words";
import { detectDateOrder, readTimestamp } from "../../formats/chat/stamp.ts";
import { dayIn, isDateAlone } from "./days.ts";
import { asSpoken } from "./fillers.ts";
import { letterOf, type Mail, mailAt, partOfMail } from "./mail.ts";
import { isNoise } from "./noise.ts";
import { type Line, readLines, rowText } from "./read-lines.ts";
import { labelOf, type Speaker, speakersOf, type Talk } from "./speakers.ts";
import { finiteVerbAt } from "./verbs.ts";

export interface Sentence {
	readonly chunk: Chunk;
	/** Into the chunk's text. */
	readonly span: readonly [number, number];
	readonly text: string;
	readonly kind: "text" | "item" | "row";
	readonly context: Context;
	/** Sentences of one turn or paragraph have the same number. */
	readonly passage: number;
	/** Of the line that it stands in. */
	readonly line: number;
}

export interface Context {
	/** Null in prose. */
	readonly speaker: Speaker | null;
	/** Whom it is said to, where that is a single person. */
	readonly to: string | null;
	/** The day that the turn, the mail or a heading names; null when only the document has one. */
	readonly day: Date | null;
	/** From the outermost on. */
	readonly headings: readonly string[];
}

export interface Reading {
	readonly sentences: readonly Sentence[];
	readonly speakers: ReadonlyMap<string, Speaker>;
	readonly isRecorded: boolean;
}

/** A heading without marks is a short line of its own above longer ones. */
const headingCharactersMax = 70;
const headingWordsMax = 9;
const unmarkedLevel = 7;
/** So many of the items above one tell what it is about. */
const itemsMax = 2;
/** The first lines of a text name its day; further down a day is what a sentence tells of. */
const headLinesMax = 3;

export function readSentences(chunks: readonly Chunk[], title: string | null, said: Date): Reading {
	const lines = readLines(chunks);
	const order = detectDateOrder(lines.map(({ text }) => text));
	const talk = speakersOf(lines, order);
	const state = createState(title, talk, letterOf(lines), said);
	const sentences: Sentence[] = [];
	let passage = 0;
	for (const [i, line] of lines.entries()) {
		const label = line.kind === "row" || line.kind === "heading" || state.isMail() ? null : labelOf(line.text, order);
		const speaker = label === null ? null : (talk.speakers.get(label.name.toLowerCase()) ?? null);
		if (speaker !== null || line.isFirst || line.kind !== "text") passage++;
		if (speaker === null && (state.takes(line, lines, i) || (talk.isTalk && readTimestamp(line.text, order) !== null))) continue;
		if (speaker !== null) state.speaks(speaker, label?.dayMs ?? null);
		const context = state.context();
		const offset = line.span[0] + (speaker === null ? 0 : (label?.length ?? 0));
		sentences.push(...sentencesIn(line, offset, { context, passage, line: i }, talk.isRecorded));
	}
	return { sentences, speakers: talk.speakers, isRecorded: talk.isRecorded };
}

/** What is done on a stage, and sounds: nobody says it. */
const direction = /[[({][^\])}]*(?:[\])}]|$)/g;

function sentencesIn(line: Line, offset: number, where: Pick<Sentence, "context" | "passage" | "line">, isRecorded: boolean): Sentence[] {
	const { chunk, kind } = line;
	if (kind === "heading") return [];
	const common = { chunk, kind, ...where };
	if (kind === "row") return [{ ...common, span: [line.span[0], line.span[1]], text: rowText(line) }];
	const whole = chunk.text.slice(offset, line.span[1]).replaceAll("\n", " ");
	const words = isRecorded ? whole.replace(direction, (found) => " ".repeat(found.length)) : whole;
	return sentenceSpans(words).flatMap(([begin, end]) => {
		const text = asSpoken(plainText(words.slice(begin, end)));
		return text === "" || isNoise(text) ? [] : [{ ...common, span: [offset + begin, offset + end] as const, text }];
	});
}

function plainText(text: string): string {
	return text
		.replace(/\*\*|__|`/g, "")
		.replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, "$1")
		.replace(/\s+/g, " ")
		.trim();
}

interface State {
	/** Whether the line only sets the scene: a heading, a day, the head or the end of a mail. */
	readonly takes: (line: Line, lines: readonly Line[], i: number) => boolean;
	readonly speaks: (speaker: Speaker, dayMs: number | null) => void;
	readonly context: () => Context;
	readonly isMail: () => boolean;
}

function createState(title: string | null, talk: Talk, letter: Mail | null, said: Date): State {
	let headings: { readonly level: number; readonly text: string }[] = [];
	let speaker: Speaker | null = letter === null ? null : { name: letter.sender, role: "person" };
	let day: Date | null = null;
	let mail = letter;
	let isEnded = false;
	/** Items that have items of their own, from the outermost on. */
	let items: { readonly indent: number; readonly text: string }[] = [];
	const names = [...talk.speakers.values()].map(({ name }) => name);
	const open = (level: number, text: string) => {
		const words = plainText(text).replace(/[:\s]+$/, "");
		headings = [...headings.filter((one) => one.level < level), { level, text: words }];
		speaker = null;
	};
	return {
		takes: (line, lines, i) => {
			const found = mailAt(lines, i);
			if (found !== null) {
				mail = found;
				speaker = { name: found.sender, role: "person" };
				day = found.day ?? day;
				isEnded = false;
				headings = [];
			}
			items = line.kind === "item" ? items.filter(({ indent }) => indent < line.indent) : [];
			const part = mail === null ? "message" : partOfMail(line.text);
			if (part === "end") isEnded = true;
			if (part !== "message" || isEnded) return true;
			if (line.isFirst && !line.opensChunk && !talk.isTalk && mail === null) speaker = null;
			const isTitle = i === 0 && isUnmarkedTitle(line);
			const isHeading = line.kind === "heading" || isTitle || (speaker === null && mail === null && isUnmarkedHeading(line, lines[i + 1]));
			const isDate = isDateAlone(line.text);
			if (line.isFirst && !isHeading) headings = headings.filter(({ level }) => level < unmarkedLevel);
			if (isHeading || isDate || i < headLinesMax) day = dayIn(line.text, day ?? said, isHeading || isDate) ?? day;
			if (isHeading && !isDate) open(line.kind === "heading" ? line.level : isTitle ? 0 : unmarkedLevel, line.text);
			const [next] = lines.slice(i + 1, i + 2);
			if (hasItems(line, next) && !isHeading && isTitleOfItems(line.text)) {
				items = [...items, { indent: line.indent, text: plainText(line.text).replace(/[:.\s]+$/, "") }];
				return true;
			}
			return isHeading || isDate;
		},
		speaks: (who, dayMs) => {
			speaker = who;
			if (dayMs !== null) day = new Date(dayMs);
		},
		context: () => {
			const others = names.filter((name) => name !== speaker?.name);
			const to = mail === null ? (speaker !== null && others.length === 1 ? (others[0] ?? null) : null) : mail.recipient;
			const paths = [title, mail?.subject ?? null, ...headings.map(({ text }) => text), ...items.slice(-itemsMax).map(({ text }) => text)];
			return { speaker, to, day, headings: [...new Set(paths.filter((one) => one !== null && one !== ""))] as string[] };
		},
		isMail: () => mail !== null,
	};
}

function hasItems({ kind, indent }: Line, next: Line | undefined): boolean {
	return kind === "item" && next?.kind === "item" && next.indent > indent;
}

/** It only names what its items are about. */
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

/** The first line of a text, where it is no sentence. */
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
