/** Who speaks, written before the words: `Ana:`, `[10:32] Ana:`, `**Ana:**`, `<ana>`. */

import { type DateOrder, readTimestamp } from "../../formats/chat/stamp.ts";

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
