/** The speaker label at the start of a line: `Ana:`, `[10:32] Ana:`, `**Ana:**`, `<ana>`, `Speaker 3: Ana:`, `Ana, Host:`. */

import { type DateOrder, readTimestamp } from "../../formats/chat/stamp.ts";

export interface Label {
	readonly name: string;
	/** Its length in characters, including the timestamp before it and the space after it. */
	readonly length: number;
	readonly hasTimestamp: boolean;
	/** Whether the name stands in angle brackets. */
	readonly isAngled: boolean;
	/** Whether nothing follows it in its line. */
	readonly isAlone: boolean;
	/** The date before it; null if there is none. */
	readonly dateMs: number | null;
}

const plainLabel =
	/^\s*(?:[-*>]\s+)?(?:\*\*|__)?(\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}(?:[ ]\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}){0,2}|\p{Ll}[\p{L}\p{M}\p{N}_.-]{0,30}|[\p{Lo}ー]{1,12})(?:\*\*|__)?(?:\s*[([]([^)\]\n]{1,120})[)\]])?(?::(?:\*\*|__)?\s+|：\s*)(?=\S)/u;
/** Any name is accepted in bold, in angle brackets, or after a timestamp. */
const bold = /^\s*\*\*([^*:\n]{1,40}):\*\*\s+(?=\S)/u;
const angled = /^\s*<\s?[@+~&%]?([^<>\s][^<>\n]{0,39})>:?\s+(?=\S)/u;
const nameWords = String.raw`\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}(?: (?:\p{Lu}[\p{L}\p{M}\p{N}_.'’-]{0,30}|de|van|von|der|\d{1,3})){0,3}`;
/** A name with a position before or behind it: `Farai Chideya, Host:`, `Speaker 3 - Ana:`. */
const withPosition = new RegExp(String.raw`^\s*(?:[-*]\s+)?(?:\*\*)?(${nameWords})(?:\*\*)?(?:, | [-–/|] )(${nameWords}):(?:\*\*)?\s+(?=\S)`, "u");
/** A label on a line of its own, as copied from some messengers: `Mira Holt  10:32 AM`. */
const ownLine = /^\s*(\p{L}[^\n:[\]()]{0,39}?)\s+\[?\d{1,2}:\d{2}(?:\s?[AaPp]\.?[Mm]\.?)?\]?\s*$/u;
/** The same in transcripts: `Lenny (00:11:46):`, `Ana Ruiz: 00:14:30`. */
const ownLineOfTranscript = new RegExp(String.raw`^\s*(?:\*\*)?(${nameWords}):?(?:\*\*)?:?\s+[[(]?\d{1,2}:\d{2}:\d{2}[\])]?:?(?:\*\*)?\s*$`, "u");
const alone = new RegExp(String.raw`^\s*(?:\*\*)?(${nameWords})(?:\*\*)?:(?:\*\*)?\s*$`, "u");
/** A name of several words such as `Workshop desk:`. It may be a heading; it counts as a speaker only if it occurs again. */
const severalWords = /^\s*(\p{Lu}[\p{L}\p{M}\p{N}_.'’&-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’&-]*){1,3})(?:\s*\(([^)\n]{1,120})\))?:\s+(?=\S)/u;
const afterTimestamp = /^([^:\n<>]{1,40}?):\s+(?=\S)/u;
/** Words before a colon that label a section and not a person. */
const notPeople =
	/^(?:notes?|warning|caution|examples?|date|time|subject|to|from|cc|bcc|sent|re|summary|address|phone|e-?mail|tips?|todo|name|title|author|location|place|agenda|actions?|action (?:items?|points?)|polls?|votes?|motions?|proposals?|outcomes?|conclusions?|resolutions?|background|discussion|decisions?|decided|agreed|results?|answer|question|status|updates?|important|reminder|ps|steps?|figures?|table|sources?|see|price|total|language|version|ingredients|goals?|q|a|facts?|attendees|present|apologies|absent|owner|description|type|category|work|home|worry|fixed|added|changed|removed|bugs?|next|next meeting|today|tomorrow|yesterday|minutes|topic|chair|host|deadline|task|http|https|numbers|act|scene|setting|who|what|where|when|why|how)$/i;

/** What somebody is in a talk, or what a line is in minutes. A name beside it says who. */
const position =
	/^(?:(?:speaker|participant|attendee|voice|person|panell?ist|delegate|member|caller|witness|respondent) ?#?\d{0,3}|(?:co-?)?chair(?:man|woman|person)?|facilitator|moderator|host|presenter|interviewer|interviewee|scribe|secretary|note-?taker|q|a|question|answer|actions?|action items?|decision|motion|comment|response)$/i;
/** In a name, every word is capitalised; `Default value` is the name of a field. */
export const plainName = /^\p{Lu}\S*(?: \p{Lu}\S*)*$/u;
const nameWordsMax = 3;

interface Found {
	readonly name: string;
	readonly length: number;
	/** What stands in brackets behind the name. */
	readonly bracket?: string | undefined;
}

/** A cheap test before the others: every label has one of these signs. */
const labelSign = /[:：<]/;

/** Null if there is none. */
export function labelOf(text: string, order?: DateOrder): Label | null {
	if (!labelSign.test(text)) return null;
	const lineLabel = ownLineLabel(text);
	if (lineLabel !== null) return lineLabel;
	const timestamp = readTimestamp(text, order);
	const timestampLength = timestamp?.length ?? 0;
	const rest = timestamp === null ? text : text.slice(timestampLength);
	const outer = labelAt(rest, timestamp !== null);
	if (outer === null) return null;
	const { name, length } = position.test(outer.name) ? (namedBeside(outer, rest) ?? outer) : outer;
	if (notPeople.test(name)) return null;
	return {
		name,
		length: timestampLength + length,
		hasTimestamp: timestamp !== null,
		isAngled: angled.test(rest),
		isAlone: false,
		dateMs: timestamp?.dateMs ?? null,
	};
}

function ownLineLabel(text: string): Label | null {
	const name = (ownLine.exec(text)?.[1] ?? ownLineOfTranscript.exec(text)?.[1])?.trim();
	const loneName = name ?? alone.exec(text)?.[1];
	if (loneName === undefined || loneName.split(" ").length > nameWordsMax || notPeople.test(loneName)) return null;
	return { name: loneName, length: text.length, hasTimestamp: name !== undefined, isAngled: false, isAlone: true, dateMs: null };
}

function labelAt(text: string, isTimed: boolean): Found | null {
	const [both, first = "", second = ""] = withPosition.exec(text) ?? [];
	if (both !== undefined && position.test(first) !== position.test(second)) return { name: position.test(first) ? second : first, length: both.length };
	const [label, name, bracket] = angled.exec(text) ?? bold.exec(text) ?? plainLabel.exec(text) ?? (isTimed ? afterTimestamp : severalWords).exec(text) ?? [];
	return label === undefined || name === undefined ? null : { name: name.trim(), length: label.length, bracket };
}

/** The name beside a position: `Speaker 3 (Ana):`, `ACTION: Ana:`. Null if there is none. */
function namedBeside({ length, bracket }: Found, text: string): Found | null {
	if (bracket !== undefined && isPersonName(bracket)) return { name: bracket, length };
	const [label, name] = plainLabel.exec(text.slice(length)) ?? [];
	return label === undefined || name === undefined || !isPersonName(name) ? null : { name, length: length + label.length };
}

function isPersonName(name: string): boolean {
	return plainName.test(name) && name.split(" ").length <= nameWordsMax && !notPeople.test(name) && !position.test(name);
}
