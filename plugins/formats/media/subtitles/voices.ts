/** Finds the speakers in a cue: `<v Ada>…`, `- ADA: …`, `>> ADA: …`. A cue may have several speakers. */

import type { Cue } from "../cue.ts";
import { linesOf, plainWords } from "./plain-words.ts";

/** A speaker's name and a colon. Its length allows for `WOMAN 2 (on the phone):`. */
const speakerLabel = /^(?<name>[^\s:][^:\n]{0,39}?)\s?:\s+(?<words>\S.*)$/;
const dash = /^(?:[-–—‐](?:\s(?=\S)|(?=[\p{L}"“¿¡[(]))|>>+\s?(?=\S))/u;
const voiceTag = /<v(?:\.[^\s<>]{0,100})?(?:\s([^<>]{0,200}))?>/gi;

interface SpokenText {
	readonly speaker: string | null;
	readonly text: string;
	readonly isTurn?: true;
}

/** Splits a cue into one cue for each speaker, all with the same time. */
export function voicesOf(time: Pick<Cue, "begin" | "end">, markup: string): readonly Cue[] {
	return splitByTag(markup).flatMap(({ speaker, text }) => {
		const plainText = plainWords(text);
		if (plainText === "") return [];
		return (speaker === null ? splitByDash(plainText) : [{ speaker, text: plainText }]).map((spoken) => ({ ...time, ...spoken }));
	});
}

function splitByTag(markup: string): readonly SpokenText[] {
	const found: SpokenText[] = [];
	let start = 0;
	let speaker: string | null = null;
	for (const tag of markup.matchAll(voiceTag)) {
		found.push({ speaker, text: markup.slice(start, tag.index) });
		speaker = nameOf(tag[1] ?? "");
		start = tag.index + tag[0].length;
	}
	return [...found, { speaker, text: markup.slice(start) }];
}

/** Splits text at lines that begin with a dash, `>>` or a speaker's name. */
function splitByDash(plainText: string): readonly SpokenText[] {
	const spoken: { speaker: string | null; isTurn: boolean; lines: string[] }[] = [];
	for (const line of linesOf(plainText)) {
		const withoutDash = line.replace(dash, "");
		const isTurn = withoutDash !== line;
		const { speaker, text } = readLabel(withoutDash, isTurn);
		const last = spoken.at(-1);
		if (last === undefined || isTurn || speaker !== null) spoken.push({ speaker, isTurn, lines: [text] });
		else last.lines.push(line);
	}
	return spoken.map(({ speaker, isTurn, lines }) => ({ speaker, text: lines.join("\n"), ...(isTurn && { isTurn }) }));
}

/** Reads the speaker before a colon. After a dash any short name is a speaker; without a dash only a name in capitals. */
function readLabel(line: string, isTurn: boolean): SpokenText {
	const found = speakerLabel.exec(line)?.groups;
	const name = found?.["name"] ?? "";
	const isName = isCapitals(name) || (isTurn && isShortName(name));
	return isName ? { speaker: nameOf(name), text: found?.["words"] ?? "" } : { speaker: null, text: line };
}

function isShortName(name: string): boolean {
	return /^\p{Lu}/u.test(name) && name.split(" ").length <= 4 && !/[.!?,;]\s/.test(name.replace(/^\p{L}{1,3}\.\s/u, ""));
}

/** Whether a name is in capitals. It needs at least two letters, since `A:` is a list item. */
function isCapitals(name: string): boolean {
	const withoutRemark = name.replace(/\s?[([][^()[\]]{0,30}[)\]]$/, "");
	return /^(?=(?:.{0,2}\p{Lu}){2})[\p{Lu}\d .'’#&/-]{2,30}$/u.test(withoutRemark) && withoutRemark.split(" ").length <= 4;
}

function nameOf(raw: string): string | null {
	const name = plainWords(raw).replace(/\s+/g, " ");
	return name === "" ? null : name;
}
