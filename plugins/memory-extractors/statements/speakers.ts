/** Finds the speakers of a conversation by the labels at the beginning of lines, and which of them are assistants or services. */

import { type DateOrder, readTimestamp } from "../../formats/chat/stamp.ts";
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
/** In a name, every word is capitalised; `Default value` is the name of a field. */
const plainName = /^\p{Lu}\S*(?: \p{Lu}\S*)*$/u;
/** A text is a conversation if at least this share of its lines begins with a name. */
const labelledShareMin = 0.6;
const labelledLinesMin = 4;
/** Minimum average number of words in a line of a conversation; fields of a form have fewer. */
const exchangeWordsMin = 2;

/** Signs of a transcript: stage directions, sounds in brackets, tokens such as `I 'm`. */
const transcriptSign = /(?<=:\s+|^\s*)[[(](?=\s*\p{L}{2,}.{8,})|\{\p{Ll}+\}|\[\p{Ll}+\]|\p{L} ['’](?:m|ve|re|s|ll|n['’]t)(?= )|\p{L} n['’]t /u;
/** A text with at least this share of such lines is a transcript. */
const transcriptShareMin = 0.05;
const transcriptLinesMin = 3;
/** Typed messages are shorter than this on average: three or more speakers with so many words per turn mean a transcript. */
const speechWords = 45;
const speechSpeakersMin = 3;

/**
 * The speakers of the lines. A role such as `User` always counts as a speaker; a capitalised name does if it labels two lines or speaks
 * in the first person; a lower-case word only in a conversation.
 */
export function speakersOf(lines: readonly Line[], order: DateOrder): Conversation {
	const labels = new Map<string, { shown: string; worth: number; isOwn: boolean; isSure: boolean }>();
	let [labelled, own, marked] = [0, 0, 0];
	for (const { text, kind } of lines) {
		if (transcriptSign.test(text)) marked++;
		const label = kind === "row" || kind === "heading" ? null : labelOf(text, order);
		if (label === null) continue;
		const key = label.name.toLowerCase();
		const isRole = userRoles.has(key) || assistantRoles.has(key);
		const isOwn = firstPersonWords.test(text.slice(label.length));
		labelled++;
		if (isOwn) own++;
		const before = labels.get(key) ?? { shown: displayName(label.name, key), worth: 0, isOwn: false, isSure: false };
		labels.set(key, { ...before, worth: before.worth + 1, isOwn: before.isOwn || isOwn, isSure: before.isSure || isRole || label.hasTimestamp });
	}
	// Speakers occur repeatedly; a form has about as many fields as lines.
	const isConversation = labelled >= labelledLinesMin && own > 0 && labelled >= labelledShareMin * lines.length && labels.size * 2 <= labelled;
	// A text of any length is a conversation if two names label all its lines.
	const isExchange = labelled === lines.length && labels.size > 1 && own > 0 && wordCount(lines) >= exchangeWordsMin * labelled;
	// If few lines have a label, a single one may be a field of a form.
	const mayBeOne = labelled * 2 >= lines.length || [...labels.values()].filter((one) => one.isOwn).length > 1;
	const speakers = [...labels].filter(
		([, { shown, worth, isOwn, isSure }]) =>
			isSure ||
			(isConversation && worth >= 2) ||
			((isConversation || isExchange || (isOwn && (worth >= 2 || mayBeOne))) && (handle.test(shown) || plainName.test(shown))),
	);
	const isSure = speakers.length > 0 && speakers.every(([, one]) => one.isSure);
	return {
		speakers: new Map(speakers.map(([key, { shown }]) => [key, { name: shown, role: isService(key) ? "assistant" : "person" }])),
		isConversation: isConversation || isSure,
		isTranscript:
			isConversation &&
			((marked >= transcriptLinesMin && marked >= transcriptShareMin * lines.length) ||
				(speakers.length >= speechSpeakersMin && wordCount(lines) >= speechWords * labelled)),
	};
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

export interface Label {
	readonly name: string;
	/** Its length in characters, including the timestamp before it and the space after it. */
	readonly length: number;
	readonly hasTimestamp: boolean;
	/** The date before it; null if there is none. */
	readonly dateMs: number | null;
}

const plainLabel =
	/^\s*(?:[-*>]\s+)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}(?:[ ]\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}){0,2}|\p{Ll}[\p{L}\p{M}\p{N}_.-]{0,30}|[\p{Lo}ー]{1,12})(?:\*\*|__)?(?:\s*[([][^)\]\n]{1,30}[)\]])?(?::(?:\*\*|__)?\s+|：\s*)(?=\S)/u;
/** Any name is accepted in bold, in angle brackets, or after a timestamp. */
const bold = /^\s*\*\*([^*:\n]{1,40}):\*\*\s+(?=\S)/u;
const angled = /^\s*<[@+~&]?([^<>\s][^<>\n]{0,39})>:?\s+(?=\S)/u;
/** A label on a line of its own, as copied from some messengers: `Mira Holt  10:32 AM`. */
const ownLine = /^\s*(\p{L}[^\n:[\]]{0,39}?)\s+\[?\d{1,2}:\d{2}(?:\s?[AaPp]\.?[Mm]\.?)?\]?\s*$/u;
/** A name of several words such as `Workshop desk:`. It may be a heading; it counts as a speaker only if it occurs again. */
const severalWords = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}_.'’&-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’&-]*){1,3}):\s+(?=\S)/u;
const afterTimestamp = /^([^:\n<>]{1,40}?):\s+(?=\S)/u;
/** Words before a colon that label a section and not a person. */
const notPeople =
	/^(?:notes?|warning|caution|examples?|date|time|subject|to|from|cc|bcc|sent|re|summary|address|phone|e-?mail|tips?|todo|name|title|author|location|place|agenda|actions?|decisions?|decided|agreed|results?|answer|question|status|updates?|important|reminder|ps|steps?|figures?|table|sources?|see|price|total|language|version|ingredients|goals?|q|a|facts?|attendees|present|apologies|absent|owner|description|type|category|work|home|worry|fixed|added|changed|removed|bugs?|next|next meeting|today|tomorrow|yesterday|minutes|topic|chair|host|deadline|task|http|https|numbers)$/i;

const nameWordsMax = 3;

/** The speaker label at the start of a line: `Ana:`, `[10:32] Ana:`, `**Ana:**`, `<ana>`. Null if there is none. */
export function labelOf(text: string, order?: DateOrder): Label | null {
	const [, speakerName] = ownLine.exec(text) ?? [];
	if (speakerName !== undefined && speakerName.split(" ").length <= nameWordsMax)
		return { name: speakerName.trim(), length: text.length, hasTimestamp: true, dateMs: null };
	const timestamp = readTimestamp(text, order);
	const timestampLength = timestamp?.length ?? 0;
	const rest = timestamp === null ? text : text.slice(timestampLength);
	const [label, name] = angled.exec(rest) ?? bold.exec(rest) ?? plainLabel.exec(rest) ?? (timestamp === null ? severalWords : afterTimestamp).exec(rest) ?? [];
	if (label === undefined || name === undefined || notPeople.test(name.trim())) return null;
	return {
		name: name.trim(),
		length: timestampLength + label.length,
		hasTimestamp: timestamp !== null || angled.test(rest),
		dateMs: timestamp?.dateMs ?? null,
	};
}
