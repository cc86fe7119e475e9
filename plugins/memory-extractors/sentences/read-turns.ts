/** Chunks → sentences, each with who says it. Headings, code, tables and bare links say nothing and are left out. */

import { type Chunk, sentenceSpans } from "cairn-memory";
import { type Mail, partOfMail, readMail } from "./mail.ts";
import { isLogLine, isNoise, recallCloses, recallOpens } from "./noise.ts";
import { asSpoken } from "./spoken.ts";

export interface Sentence {
	readonly chunk: Chunk;
	/** Into the chunk's text. */
	readonly span: readonly [number, number];
	readonly text: string;
	/** Null in prose, which has no speaker. */
	readonly speaker: Speaker | null;
}

export interface Speaker {
	readonly name: string;
	readonly isAssistant: boolean;
	/** The other of exactly two who talk; null for none or many. */
	readonly partner: string | null;
}

interface Label {
	readonly name: string;
	readonly length: number;
}

const labelPattern =
	/^\s*(?:[-*>]\s+)?(?:\[[^\]\n]{1,40}\]\s*)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}(?:[ ]\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}){0,2}|\p{Ll}[\p{L}\p{M}\p{N}_.-]{0,30}|[\p{Lo}ー]{1,12})(?:\*\*|__)?(?:\s*[([][^)\]\n]{1,30}[)\]])?(?::(?:\*\*|__)?\s+|：\s*)(?=\S)/u;
/** Bold before a colon, as chats are written down here: any name will do. */
const boldLabel = /^\s*\*\*([^*:\n]{1,40}):\*\*\s+(?=\S)/u;
const serviceName = /\b(?:desk|bot|assistant|support|helpdesk|service|team|ai)$/i;
const users = new Set([
	"user",
	"human",
	"me",
	"customer",
	"moi",
	"nutzer",
	"benutzer",
	"utilisateur",
	"usuario",
	"usuário",
	"utente",
	"gebruiker",
	"用户",
	"ユーザー",
]);
const assistants = new Set(["assistant", "ai", "bot", "system", "tool", "chatgpt", "claude", "gemini", "copilot", "chatbot", "agent", "助手", "アシスタント"]);
/** Words before a colon that name a part of a text and no person. */
const notPeople =
	/^(?:note|notes|warning|caution|example|examples|date|time|subject|to|from|cc|re|summary|address|phone|e-?mail|tip|tips|todo|name|title|author|location|place|agenda|action|actions|decision|decisions|result|results|answer|question|status|update|important|reminder|ps|step|steps|figure|table|source|sources|see|figures|price|total|language|version|ingredients|goal|goals|q|a|fact|facts|attendees|owner|description|type|category)$/i;
const ownWords = /\b(?:I|I['’](?:m|ve|ll|d)|i['’]?m|[Mm]y|[Ww]e|[Oo]ur|[Ii]ch|[Mm]eine?|[Ii]k|[Mm]ijn|[Jj]e|[Ee]u|[Mm]inha)\b/;
/** A handle has a digit or an underscore; any other small word before a colon may be a part of a text. */
const handle = /[\p{N}_]/u;
/** Where so large a share of the lines begins with a word before a colon, and some speak of themselves, people talk. */
const talkShare = 0.8;
const talkLinesMin = 4;
const fence = /^\s*(?:```|~~~)/;
const notProse = /^\s*(?:#{1,6}\s|\||[-=*_]{3,}\s*$|(?:[-*+>]|\d+[.)])?\s*!?\[[^\]]*\]\([^)]*\)\s*$|(?:[-*+]\s+)?https?:\S+\s*$|\d+\s*$)/;
/** What stands before the words of a list item: a dash, a number, a letter in brackets, a box to tick. `A. Smith` is no item. */
const itemMarks = /^\s*(?:(?:[-*+>]|\(?\d+(?:\.(?:\d+|[a-z]))*[.)]|\(?(?:[a-z]|[ivx]{2,6}|[IVX]{2,6})[.)]|\(?[A-Z]\)|\[[ x]\])\s+)+/;
const indentedCode = /^(?: {4}|\t)\s*\S*[(){};=<>]/;

/** Sentences in reading order. A turn that goes on in the next chunk keeps its speaker. */
export function readTurns(chunks: readonly Chunk[]): readonly Sentence[] {
	const people = speakersOf(chunks);
	const sentences: Sentence[] = [];
	const mail = readMail(chunks[0]?.text ?? "");
	let speaker: Speaker | null = mail === null ? null : writerOf(mail);
	const skips = skipper(mail !== null);
	for (const chunk of chunks) {
		skips.begin();
		for (const { begin, end } of paragraphs(chunk.text, people)) {
			const text = chunk.text.slice(begin, end);
			if (skips.skip(text)) continue;
			const label = labelOf(text, people);
			if (label !== null) speaker = people.get(label.name.toLowerCase()) ?? null;
			if (isLogLine(text.slice(label?.length ?? 0))) continue;
			const offset = begin + (label?.length ?? itemMarks.exec(text)?.[0].length ?? 0);
			for (const span of sentenceSpans(unwrapped(chunk.text.slice(offset, end)))) {
				const [from, to] = [offset + span[0], offset + span[1]];
				const sentence = asSpoken(chunk.text.slice(from, to).replace(/\s+/g, " "));
				if (sentence !== "" && !isNoise(sentence)) sentences.push({ chunk, span: [from, to], text: sentence, speaker });
			}
		}
	}
	return sentences;
}

/** Leaves out code, what stands around the words of an e-mail, and memories that are read out again. */
function skipper(isMail: boolean): { readonly begin: () => void; readonly skip: (text: string) => boolean } {
	let isCode = false;
	let isRecall = false;
	let isEnded = false;
	return {
		begin: () => {
			isCode = false;
		},
		skip: (text) => {
			if (recallOpens.test(text)) isRecall = true;
			const wasRecall = isRecall;
			if (recallCloses.test(text)) isRecall = false;
			if (fence.test(text)) isCode = !isCode;
			const part = isMail ? partOfMail(text) : "message";
			if (part === "head") isEnded = false;
			if (part === "end") isEnded = true;
			return wasRecall || isEnded || part !== "message" || isCode || fence.test(text) || notProse.test(text) || indentedCode.test(text);
		},
	};
}

function writerOf({ sender, recipient }: Mail): Speaker {
	return { name: sender, isAssistant: false, partner: recipient };
}

/** Lines, joined where a line only wraps: the next begins with a small letter and is no list item. */
function paragraphs(text: string, people: ReadonlyMap<string, Speaker>): readonly { readonly begin: number; readonly end: number }[] {
	const found: { begin: number; end: number }[] = [];
	let at = 0;
	for (const line of text.split("\n")) {
		const open = found.at(-1);
		const wraps =
			open !== undefined &&
			open.end === at - 1 &&
			/^\s*[\p{Ll}\p{N}(]/u.test(line) &&
			!itemMarks.test(line) &&
			labelOf(line, people) === null &&
			!isGreeting(text.slice(open.begin, open.end));
		if (wraps && !notProse.test(text.slice(open.begin, open.end)) && !fence.test(text.slice(open.begin, open.end))) open.end = at + line.length;
		else if (line.trim() !== "") found.push({ begin: at, end: at + line.length });
		at += line.length + 1;
	}
	return found;
}

/** `Hi Joao,` stands alone, whatever follows. */
function isGreeting(line: string): boolean {
	return /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b.{0,40},\s*$/i.test(line);
}

/** Line breaks inside a paragraph do not end a sentence. Lengths stay, so that spans do. */
function unwrapped(text: string): string {
	return text.replaceAll("\n", " ");
}

/** Who speaks in these chunks: roles always, other names when they speak twice or speak of themselves, small words in a talk alone. */
function speakersOf(chunks: readonly Chunk[]): ReadonlyMap<string, Speaker> {
	const counts = new Map<string, number>();
	const shown = new Map<string, string>();
	const lines = chunks.flatMap(({ text }) => text.split("\n").filter((line) => line.trim() !== ""));
	let [labelled, own] = [0, 0];
	for (const line of lines) {
		const [label, name] = labelPattern.exec(line) ?? boldLabel.exec(line) ?? [];
		if (label === undefined || name === undefined || notPeople.test(name)) continue;
		const key = name.toLowerCase();
		const isRole = users.has(key) || assistants.has(key);
		const isOwn = ownWords.test(line.slice(label.length));
		labelled++;
		if (isOwn) own++;
		counts.set(key, (counts.get(key) ?? 0) + (isRole || isOwn ? 2 : 1));
		shown.set(key, users.has(key) ? "User" : name);
	}
	// Who talks comes back; fields of a form are as many as its lines.
	const isTalk = labelled >= talkLinesMin && own > 0 && labelled >= talkShare * lines.length && counts.size * 2 <= labelled;
	const keys = [...counts].filter(([key, count]) => count >= 2 && (isTalk || mayStandAlone(key, shown.get(key) ?? ""))).map(([key]) => key);
	return new Map(
		keys.map((key) => {
			const other = keys.length === 2 ? keys.find((one) => one !== key) : undefined;
			const partner = other === undefined || isService(other) ? null : (shown.get(other) ?? null);
			return [key, { name: shown.get(key) ?? "User", isAssistant: isService(key), partner }];
		}),
	);
}

function mayStandAlone(key: string, name: string): boolean {
	return users.has(key) || assistants.has(key) || handle.test(name) || /^\p{Lu}/u.test(name);
}

function isService(key: string): boolean {
	return assistants.has(key) || serviceName.test(key);
}

function labelOf(line: string, people: ReadonlyMap<string, Speaker>): Label | null {
	const [label, name] = labelPattern.exec(line) ?? boldLabel.exec(line) ?? [];
	return label !== undefined && name !== undefined && people.has(name.toLowerCase()) ? { name, length: label.length } : null;
}
