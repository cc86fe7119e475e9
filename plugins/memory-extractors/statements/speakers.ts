/** Finds the speakers of a conversation by the labels at the beginning of lines, and which of them are assistants or services. */

import { type DateOrder, readTimestamp } from "../../formats/chat/stamp.ts";
import type { Line } from "./read-lines.ts";

export interface Speaker {
	readonly name: string;
	/** A `writer` is the unnamed author of notes in the first person. */
	readonly role: "person" | "assistant" | "writer";
}

export interface Talk {
	/** Speakers by name in lower case. */
	readonly speakers: ReadonlyMap<string, Speaker>;
	/** Whether the whole text is a conversation, so that a line without a label belongs to the previous speaker. */
	readonly isTalk: boolean;
	/** Whether the text is a verbatim transcript of speech, or a script. */
	readonly isRecorded: boolean;
}

const users = new Set("user human me customer client moi nutzer benutzer utilisateur usuario usuário utente gebruiker 用户 ユーザー".split(" "));
const assistants = new Set("assistant ai bot system tool chatgpt claude gemini copilot chatbot agent model 助手 アシスタント".split(" "));
const serviceName = /\b(?:desk|bot|assistant|support|helpdesk|service|team|ai)$/i;
const ownWords = /\b(?:I|I['’](?:m|ve|ll|d)|i['’]?m|[Mm]y|me|[Ww]e|[Oo]ur|us|[Ii]ch|[Mm]eine?|[Ii]k|[Mm]ijn|[Jj]e|[Ee]u|[Mm]inha)\b/;
/** A handle has a digit or an underscore; other lower-case words before a colon may be part of the text. */
const handle = /[\p{N}_]/u;
/** In a name, every word is capitalised; `Default value` is the name of a field. */
const plainName = /^\p{Lu}\S*(?: \p{Lu}\S*)*$/u;
/** A text is a conversation if at least this share of its lines begins with a name. */
const talkShare = 0.6;
const talkLinesMin = 4;
/** Minimum average number of words in a line of a conversation; fields of a form have fewer. */
const exchangeWordsMin = 2;

/** Signs of a transcript: stage directions, sounds in brackets, tokens such as `I 'm`. */
const recorded = /(?<=:\s+|^\s*)[[(](?=\s*\p{L}{2,}.{8,})|\{\p{Ll}+\}|\[\p{Ll}+\]|\p{L} ['’](?:m|ve|re|s|ll|n['’]t)(?= )|\p{L} n['’]t /u;
/** A text with at least this share of such lines is a transcript. */
const recordedShare = 0.05;
const recordedLinesMin = 3;
/** Typed messages are shorter than this on average: three or more speakers with so many words per turn mean a transcript. */
const speechWords = 45;
const speechSpeakersMin = 3;

/** Roles always speak; names when they speak twice or of themselves; small words in a talk alone. */
export function speakersOf(lines: readonly Line[], order: DateOrder): Talk {
	const seen = new Map<string, { shown: string; worth: number; isOwn: boolean; isSure: boolean }>();
	let [labelled, own, marked] = [0, 0, 0];
	for (const { text, kind } of lines) {
		if (recorded.test(text)) marked++;
		const label = kind === "row" || kind === "heading" ? null : labelOf(text, order);
		if (label === null) continue;
		const key = label.name.toLowerCase();
		const isRole = users.has(key) || assistants.has(key);
		const isOwn = ownWords.test(text.slice(label.length));
		labelled++;
		if (isOwn) own++;
		const before = seen.get(key) ?? { shown: shownAs(label.name, key), worth: 0, isOwn: false, isSure: false };
		seen.set(key, { ...before, worth: before.worth + 1, isOwn: before.isOwn || isOwn, isSure: before.isSure || isRole || label.isStamped });
	}
	// Speakers occur repeatedly; a form has about as many fields as lines.
	const isTalk = labelled >= talkLinesMin && own > 0 && labelled >= talkShare * lines.length && seen.size * 2 <= labelled;
	// A text of any length is a conversation if two names label all its lines.
	const isExchange = labelled === lines.length && seen.size > 1 && own > 0 && wordCount(lines) >= exchangeWordsMin * labelled;
	// If few lines have a label, a single one may be a field of a form.
	const mayBeOne = labelled * 2 >= lines.length || [...seen.values()].filter((one) => one.isOwn).length > 1;
	const speakers = [...seen].filter(
		([, { shown, worth, isOwn, isSure }]) =>
			isSure || (isTalk && worth >= 2) || ((isTalk || isExchange || (isOwn && (worth >= 2 || mayBeOne))) && (handle.test(shown) || plainName.test(shown))),
	);
	const isSure = speakers.length > 0 && speakers.every(([, one]) => one.isSure);
	return {
		speakers: new Map(speakers.map(([key, { shown }]) => [key, { name: shown, role: isService(key) ? "assistant" : "person" }])),
		isTalk: isTalk || isSure,
		isRecorded:
			isTalk &&
			((marked >= recordedLinesMin && marked >= recordedShare * lines.length) ||
				(speakers.length >= speechSpeakersMin && wordCount(lines) >= speechWords * labelled)),
	};
}

function wordCount(lines: readonly Line[]): number {
	return lines.reduce((sum, { text }) => sum + text.trim().split(/\s+/).length - 1, 0);
}

function shownAs(name: string, key: string): string {
	if (users.has(key)) return "User";
	return assistants.has(key) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

function isService(key: string): boolean {
	return assistants.has(key) || serviceName.test(key);
}

export interface Label {
	readonly name: string;
	/** Its length in characters, including the timestamp before it and the space after it. */
	readonly length: number;
	readonly isStamped: boolean;
	/** The date before it; null if there is none. */
	readonly dayMs: number | null;
}

const plain =
	/^\s*(?:[-*>]\s+)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}(?:[ ]\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}){0,2}|\p{Ll}[\p{L}\p{M}\p{N}_.-]{0,30}|[\p{Lo}ー]{1,12})(?:\*\*|__)?(?:\s*[([][^)\]\n]{1,30}[)\]])?(?::(?:\*\*|__)?\s+|：\s*)(?=\S)/u;
/** Any name is accepted in bold, in angle brackets, or after a timestamp. */
const bold = /^\s*\*\*([^*:\n]{1,40}):\*\*\s+(?=\S)/u;
const angled = /^\s*<[@+~&]?([^<>\s][^<>\n]{0,39})>:?\s+(?=\S)/u;
/** A label on a line of its own, as copied from some messengers: `Mira Holt  10:32 AM`. */
const alone = /^\s*(\p{L}[^\n:[\]]{0,39}?)\s+\[?\d{1,2}:\d{2}(?:\s?[AaPp]\.?[Mm]\.?)?\]?\s*$/u;
/** `Workshop desk:` may be a heading or a speaker; it counts as a speaker only if it occurs again. */
const loose = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}_.'’&-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’&-]*){1,3}):\s+(?=\S)/u;
const stamped = /^([^:\n<>]{1,40}?):\s+(?=\S)/u;
/** Words before a colon that label a section and not a person. */
const notPeople =
	/^(?:notes?|warning|caution|examples?|date|time|subject|to|from|cc|bcc|sent|re|summary|address|phone|e-?mail|tips?|todo|name|title|author|location|place|agenda|actions?|decisions?|decided|agreed|results?|answer|question|status|updates?|important|reminder|ps|steps?|figures?|table|sources?|see|price|total|language|version|ingredients|goals?|q|a|facts?|attendees|present|apologies|absent|owner|description|type|category|work|home|worry|fixed|added|changed|removed|bugs?|next|next meeting|today|tomorrow|yesterday|minutes|topic|chair|host|deadline|task|http|https|numbers)$/i;

const nameWordsMax = 3;

/** Who speaks, written before the words: `Ana:`, `[10:32] Ana:`, `**Ana:**`, `<ana>`. */
export function labelOf(text: string, order?: DateOrder): Label | null {
	const [, whole] = alone.exec(text) ?? [];
	if (whole !== undefined && whole.split(" ").length <= nameWordsMax) return { name: whole.trim(), length: text.length, isStamped: true, dayMs: null };
	const stamp = readTimestamp(text, order);
	const at = stamp?.length ?? 0;
	const rest = stamp === null ? text : text.slice(at);
	const [label, name] = angled.exec(rest) ?? bold.exec(rest) ?? plain.exec(rest) ?? (stamp === null ? loose : stamped).exec(rest) ?? [];
	if (label === undefined || name === undefined || notPeople.test(name.trim())) return null;
	return { name: name.trim(), length: at + label.length, isStamped: stamp !== null || angled.test(rest), dayMs: stamp?.dateMs ?? null };
}
