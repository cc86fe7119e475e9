/** Who talks in a text, by the names written before the words, and who of them is a service. */

import { type DateOrder, readTimestamp } from "../../formats/chat/stamp.ts";
import type { Line } from "./read-lines.ts";

export interface Speaker {
	readonly name: string;
	/** A writer tells of themself in notes without a name. */
	readonly role: "person" | "assistant" | "writer";
}

export interface Talk {
	/** By the name in lower case. */
	readonly speakers: ReadonlyMap<string, Speaker>;
	/** Whether the text is a talk throughout, so that a line without a name goes on with the speaker before. */
	readonly isTalk: boolean;
	/** Whether it was recorded and typed word for word: a script, a transcript. */
	readonly isRecorded: boolean;
}

const users = new Set("user human me customer client moi nutzer benutzer utilisateur usuario usuário utente gebruiker 用户 ユーザー".split(" "));
const assistants = new Set("assistant ai bot system tool chatgpt claude gemini copilot chatbot agent model 助手 アシスタント".split(" "));
const serviceName = /\b(?:desk|bot|assistant|support|helpdesk|service|team|ai)$/i;
const ownWords = /\b(?:I|I['’](?:m|ve|ll|d)|i['’]?m|[Mm]y|me|[Ww]e|[Oo]ur|us|[Ii]ch|[Mm]eine?|[Ii]k|[Mm]ijn|[Jj]e|[Ee]u|[Mm]inha)\b/;
/** A handle has a digit or an underscore; any other small word before a colon may be a part of a text. */
const handle = /[\p{N}_]/u;
/** Names before a colon have a capital each; `Default value` is the name of a field. */
const plainName = /^\p{Lu}\S*(?: \p{Lu}\S*)*$/u;
/** Where so large a share of the lines begins with a name, people talk. */
const talkShare = 0.6;
const talkLinesMin = 4;
/** So many words a line has on average where people speak; fields of a form have fewer. */
const exchangeWordsMin = 2;

/** Stage directions, sounds in brackets, words cut as a program cuts them: nobody types so in a chat. */
const recorded = /(?<=:\s+|^\s*)[[(](?=\s*\p{L}{2,}.{8,})|\{\p{Ll}+\}|\[\p{Ll}+\]|\p{L} ['’](?:m|ve|re|s|ll|n['’]t)(?= )|\p{L} n['’]t /u;
/** From this share of such lines on it is a recording. */
const recordedShare = 0.05;
const recordedLinesMin = 3;
/** Who types a message does not type so much; of three and more who take turns of this length on the average, somebody took down what they said. */
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
	// Who talks comes back; fields of a form are as many as its lines.
	const isTalk = labelled >= talkLinesMin && own > 0 && labelled >= talkShare * lines.length && seen.size * 2 <= labelled;
	// Two who name themselves on every line talk, however short.
	const isExchange = labelled === lines.length && seen.size > 1 && own > 0 && wordCount(lines) >= exchangeWordsMin * labelled;
	// Where few lines have a name before them, one alone may be a field of a form.
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
	/** How many characters it takes, with the time before it and the space behind it. */
	readonly length: number;
	readonly isStamped: boolean;
	/** The day in front of it; null when there is none. */
	readonly dayMs: number | null;
}

const plain =
	/^\s*(?:[-*>]\s+)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}(?:[ ]\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}){0,2}|\p{Ll}[\p{L}\p{M}\p{N}_.-]{0,30}|[\p{Lo}ー]{1,12})(?:\*\*|__)?(?:\s*[([][^)\]\n]{1,30}[)\]])?(?::(?:\*\*|__)?\s+|：\s*)(?=\S)/u;
/** Any name will do where it is bold, in angle brackets, or behind a time. */
const bold = /^\s*\*\*([^*:\n]{1,40}):\*\*\s+(?=\S)/u;
const angled = /^\s*<[@+~&]?([^<>\s][^<>\n]{0,39})>:?\s+(?=\S)/u;
/** A line of its own, as some messengers copy it: `Mira Holt  10:32 AM`. */
const alone = /^\s*(\p{L}[^\n:[\]]{0,39}?)\s+\[?\d{1,2}:\d{2}(?:\s?[AaPp]\.?[Mm]\.?)?\]?\s*$/u;
/** `Workshop desk:`; whether it speaks shows in whether it comes back. */
const loose = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}_.'’&-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’&-]*){1,3}):\s+(?=\S)/u;
const stamped = /^([^:\n<>]{1,40}?):\s+(?=\S)/u;
/** Words before a colon that name a part of a text and no person. */
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
