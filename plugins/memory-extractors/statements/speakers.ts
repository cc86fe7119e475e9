/** Finds the speakers of a conversation by the labels at the beginning of lines, and which of them are assistants or services. */

import { yieldIfDue } from "cairn-memory/words";
import type { DateOrder } from "../../formats/chat/stamp.ts";
import { labelOf, plainName } from "./labels.ts";
import type { Line } from "./read-lines.ts";

export interface Speaker {
	readonly name: string;
	/** A `writer` is the unnamed author of notes in the first person. */
	readonly role: "person" | "assistant" | "writer";
}

export interface Conversation {
	/** Speakers by name in lower case. */
	readonly speakers: ReadonlyMap<string, Speaker>;
	/** Whether the whole text is a conversation, so that a line without a label belongs to the previous speaker. */
	readonly isConversation: boolean;
	/** Whether the text is a verbatim transcript of speech, or a script. */
	readonly isTranscript: boolean;
}

const userRoles = new Set("user human me customer client moi nutzer benutzer utilisateur usuario usuário utente gebruiker 用户 ユーザー".split(" "));
const assistantRoles = new Set("assistant ai bot system tool chatgpt claude gemini copilot chatbot agent model 助手 アシスタント".split(" "));
const serviceName = /\b(?:desk|bot|assistant|support|helpdesk|service|team|ai)$/i;
const firstPersonWords = /\b(?:I|I['’](?:m|ve|ll|d)|i['’]?m|[Mm]y|me|[Ww]e|[Oo]ur|us|[Ii]ch|[Mm]eine?|[Ii]k|[Mm]ijn|[Jj]e|[Ee]u|[Mm]inha)\b/;
/** A handle has a digit or an underscore; other lower-case words before a colon may be part of the text. */
const handle = /[\p{N}_]/u;
/** A text is a conversation if at least this share of its lines begins with a name. */
const labelledShareMin = 0.6;
const labelledLinesMin = 4;
/** Minimum average number of words in a line of a conversation; fields of a form have fewer. */
const exchangeWordsMin = 2;

/** Signs of a transcript: stage directions, sounds in brackets, tokens such as `I 'm`, times of a recording behind a name. */
const transcriptSign =
	/(?<=:\s+|^\s*)[[(](?=\s*\p{L}{2,}.{8,})|(?<=\S )\[\p{Ll}[\p{L} ,'’-]{4,80}\](?!\()|\{\p{Ll}+\}|\[\p{Ll}+\]|\p{L} ['’](?:m|ve|re|s|ll|n['’]t)(?= )|\p{L} n['’]t |[(:]\s*\d{1,2}:\d{2}:\d{2}\)?:?\s*$/u;
/** A cheap test before that. */
const transcriptCharacter = /[[({'’:]/;
/** A text with at least this share of such lines is a transcript. */
const transcriptShareMin = 0.05;
const transcriptLinesMin = 3;
/** Typed messages are shorter than this on average: three or more speakers with this many words per turn mean a transcript. */
const speechWords = 45;
const speechSpeakersMin = 3;

/**
 * The speakers of the lines. A role such as `User` always counts as a speaker; a capitalised name does if it labels two lines or speaks
 * in the first person; a lower-case word only in a conversation.
 */
export async function speakersOf(lines: readonly Line[], order: DateOrder): Promise<Conversation> {
	const labels = new Map<string, { shown: string; worth: number; isOwn: boolean; isSure: boolean; isAngled: boolean }>();
	const namesAlone = namesOnTheirOwnLines(lines);
	let [labelled, own, marked, alone] = [0, 0, 0, 0];
	for (const [i, { text, kind }] of lines.entries()) {
		const pause = yieldIfDue();
		if (pause !== null) await pause;
		if (transcriptCharacter.test(text) && transcriptSign.test(text)) marked++;
		const label = kind === "row" || kind === "heading" ? null : labelOf(text, order);
		if (label === null || (label.isAlone && !label.hasTimestamp && !namesAlone.has(label.name))) continue;
		const key = label.name.toLowerCase();
		const isRole = userRoles.has(key) || assistantRoles.has(key) || namesAlone.has(label.name);
		const isOwn = firstPersonWords.test(label.isAlone ? (lines[i + 1]?.text ?? "") : text.slice(label.length));
		labelled++;
		if (isOwn) own++;
		if (label.isAlone) alone++;
		const before = labels.get(key) ?? { shown: displayName(label.name, key), worth: 0, isOwn: false, isSure: false, isAngled: label.isAngled };
		labels.set(key, { ...before, worth: before.worth + 1, isOwn: before.isOwn || isOwn, isSure: before.isSure || isRole || label.hasTimestamp });
	}
	// Speakers occur repeatedly; a form has about as many fields as lines.
	const isConversation = labelled >= labelledLinesMin && own > 0 && labelled >= labelledShareMin * lines.length && labels.size * 2 <= labelled;
	// A text of any length is a conversation if two names label all its lines.
	const isExchange = labelled === lines.length && labels.size > 1 && own > 0 && wordCount(lines) >= exchangeWordsMin * labelled;
	// If few lines have a label, a single one may be a field of a form.
	const mayBeOne = labelled * 2 >= lines.length || [...labels.values()].filter((one) => one.isOwn).length > 1;
	const speakers = [...labels].filter(
		([, { shown, worth, isOwn, isSure, isAngled }]) =>
			isSure ||
			(isConversation && worth >= 2) ||
			((isConversation || isExchange || (isOwn && (worth >= 2 || mayBeOne))) && (isAngled || handle.test(shown) || plainName.test(shown))),
	);
	const isSure = speakers.length > 0 && speakers.every(([, one]) => one.isSure);
	const isTalk = isConversation || (isSure && alone * 2 > labelled);
	return {
		speakers: new Map(speakers.map(([key, { shown }]) => [key, { name: shown, role: isService(key) ? "assistant" : "person" }])),
		isConversation: isConversation || isSure,
		isTranscript:
			isTalk &&
			((marked >= transcriptLinesMin && marked >= transcriptShareMin * lines.length) ||
				(speakers.length >= speechSpeakersMin && wordCount(lines) >= speechWords * labelled)),
	};
}

/** The names that stand on lines of their own above what is said: at least two do so repeatedly, and their words are no lists. */
function namesOnTheirOwnLines(lines: readonly Line[]): ReadonlySet<string> {
	const words = new Map<string, string[]>();
	for (const [i, { text, kind }] of lines.entries()) {
		const next = lines[i + 1];
		const label = kind === "text" && next?.kind === "text" ? labelOf(text) : null;
		if (label === null || !label.isAlone || label.hasTimestamp) continue;
		words.set(label.name, [...(words.get(label.name) ?? []), next?.text ?? ""]);
	}
	const repeated = [...words].filter(([, said]) => said.length > 1);
	const isTalk = repeated.length > 1 && repeated.some(([, said]) => said.some((text) => firstPersonWords.test(text)));
	return new Set(isTalk ? repeated.map(([name]) => name) : []);
}

function wordCount(lines: readonly Line[]): number {
	return lines.reduce((sum, { text }) => sum + text.trim().split(/\s+/).length - 1, 0);
}

function displayName(name: string, key: string): string {
	if (userRoles.has(key)) return "User";
	return assistantRoles.has(key) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

function isService(key: string): boolean {
	return assistantRoles.has(key) || serviceName.test(key);
}
