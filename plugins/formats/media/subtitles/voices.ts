/** Finds the speakers in a cue: `<v Ada>…`, `- ADA: …`, `>> ADA: …`. A cue may have several. */

import type { Cue } from "../cue.ts";
import { linesOf, plainWords } from "./plain-words.ts";

/** Long enough for `WOMAN 2 (on the phone):`. */
const label = /^(?<name>[^\s:][^:\n]{0,39}?)\s?:\s+(?<words>\S.*)$/;
const dash = /^(?:[-–—‐](?:\s(?=\S)|(?=[\p{L}"“¿¡[(]))|>>+\s?(?=\S))/u;
const voiceTag = /<v(?:\.[^\s<>]{0,100})?(?:\s([^<>]{0,200}))?>/gi;

interface Said {
	readonly speaker: string | null;
	readonly text: string;
	readonly isTurn?: true;
}

/** Splits a cue into one for each speaker, all with its time. */
export function voicesOf(time: Pick<Cue, "begin" | "end">, marked: string): readonly Cue[] {
	return byTag(marked).flatMap(({ speaker, text }) => {
		const words = plainWords(text);
		if (words === "") return [];
		return (speaker === null ? byMark(words) : [{ speaker, text: words }]).map((said) => ({ ...time, ...said }));
	});
}

function byTag(marked: string): readonly Said[] {
	const found: Said[] = [];
	let from = 0;
	let speaker: string | null = null;
	for (const tag of marked.matchAll(voiceTag)) {
		found.push({ speaker, text: marked.slice(from, tag.index) });
		speaker = nameOf(tag[1] ?? "");
		from = tag.index + tag[0].length;
	}
	return [...found, { speaker, text: marked.slice(from) }];
}

/** A dash or `>>` means a change of speaker only where there are several of them. */
function byMark(words: string): readonly Said[] {
	const said: { speaker: string | null; isTurn: boolean; lines: string[] }[] = [];
	for (const line of linesOf(words)) {
		const bare = line.replace(dash, "");
		const isTurn = bare !== line;
		const { speaker, text } = labelled(bare, isTurn);
		const last = said.at(-1);
		if (last === undefined || isTurn || speaker !== null) said.push({ speaker, isTurn, lines: [text] });
		else last.lines.push(line);
	}
	return said.map(({ speaker, isTurn, lines }) => ({ speaker, text: lines.join("\n"), ...(isTurn && { isTurn }) }));
}

/** After a mark any short text before a colon is a speaker; without one only a name in capitals is. */
function labelled(line: string, isTurn: boolean): Said {
	const found = label.exec(line)?.groups;
	const name = found?.["name"] ?? "";
	const isName = isCapitals(name) || (isTurn && isShortName(name));
	return isName ? { speaker: nameOf(name), text: found?.["words"] ?? "" } : { speaker: null, text: line };
}

function isShortName(name: string): boolean {
	return /^\p{Lu}/u.test(name) && name.split(" ").length <= 4 && !/[.!?,;]\s/.test(name.replace(/^\p{L}{1,3}\.\s/u, ""));
}

/** At least two letters, since `A:` is a list item. */
function isCapitals(name: string): boolean {
	const bare = name.replace(/\s?[([][^()[\]]{0,30}[)\]]$/, "");
	return /^(?=(?:.{0,2}\p{Lu}){2})[\p{Lu}\d .'’#&/-]{2,30}$/u.test(bare) && bare.split(" ").length <= 4;
}

function nameOf(written: string): string | null {
	const name = plainWords(written).replace(/\s+/g, " ");
	return name === "" ? null : name;
}
