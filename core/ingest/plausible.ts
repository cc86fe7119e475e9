/** Whether an extracted text looks like something that a person has written. What does not is searchable all the same, with a remark. */

import type { Block, Warning } from "../model/extraction.ts";

/** At most this many characters are looked at, in pieces from the whole document, so that a long one costs some milliseconds. */
const samplesMax = 40;
const sampleCharacters = 4_000;
/** Fewer characters than this prove nothing. */
const charactersMin = 80;

interface Measure {
	/** The characters of the text, in percent, above which it is doubtful. */
	readonly shareMax: number;
	/** What they are, in words. */
	readonly name: string;
	readonly count: (text: string) => number;
	/** Whether tables and lists count too, where numbers and names of files are to be expected. */
	readonly isForTables: boolean;
}

const summedLength = (pattern: RegExp) => (text: string) => (text.match(pattern) ?? []).reduce((sum, { length }) => sum + length, 0);

const measures: readonly Measure[] = [
	{
		name: "signs that are no letters of any script",
		shareMax: 1,
		isForTables: true,
		// Tabs and line breaks are white space; the other control characters, and code points that nobody has assigned, come of wrong encodings.
		count: summedLength(/[\uFFFD\p{Co}\p{Cn}]|(?!\s)\p{Cc}/gu),
	},
	{ name: "markup", shareMax: 30, isForTables: false, count: summedLength(/<\/?[A-Za-z][^<>]{0,500}>/g) },
	// Rules of one sign are long as well, and so are addresses; scripts without spaces have no shorter words.
	{ name: "encoded data", shareMax: 30, isForTables: true, count: summedLength(/(?<!\S)(?=\S*\d)(?=\S*[A-Za-z])[A-Za-z\d+/=_-]{60,}(?!\S)/g) },
	{ name: "neither letters nor digits", shareMax: 60, isForTables: false, count: summedLength(/[^\p{L}\p{M}\p{N}\s]/gu) },
	{ name: "digits", shareMax: 70, isForTables: false, count: summedLength(/[\p{N}.,+-]/gu) },
];

/** A remark about a text that is mostly something else; null if it reads like one. Source code is not looked at. */
export function doubtAbout(blocks: readonly Block[]): Warning | null {
	const prose = sampleOf(blocks, (kind) => kind !== "row" && kind !== "list-item" && kind !== "code");
	const all = sampleOf(blocks, (kind) => kind !== "code");
	for (const { name, shareMax, isForTables, count } of measures) {
		const text = isForTables ? all : prose;
		const signs = text.length - (text.match(/\s/g)?.length ?? 0);
		const share = (100 * count(text)) / signs;
		if (text.length >= charactersMin && share > shareMax)
			return { code: "TEXT_DOUBTFUL", message: `${Math.round(share)} % of what was read is ${name}, so it may not be what the document says` };
	}
	return null;
}

/** The beginnings of blocks from the whole document, in equal distances. */
function sampleOf(blocks: readonly Block[], isWanted: (kind: Block["kind"]) => boolean): string {
	const step = Math.max(1, Math.floor(blocks.length / (samplesMax * 10)));
	const parts: string[] = [];
	let length = 0;
	for (let index = 0; index < blocks.length && length < samplesMax * sampleCharacters; index += step) {
		const block = blocks[index];
		if (block === undefined || !isWanted(block.kind)) continue;
		const part = block.text.slice(0, sampleCharacters);
		parts.push(part);
		length += part.length;
	}
	return parts.join("\n");
}
