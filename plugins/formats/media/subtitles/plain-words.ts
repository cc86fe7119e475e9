/** Removes tags, overrides and entities from subtitle text. Every pattern is bounded, since a file may be a million brackets. */

/** Tags of WebVTT, SubRip and their converters. Anything else is text: `<3`, `<laughs>`. */
const tags = /<\/?(?:[bciuvs]|ruby|rt|rp|lang|font|span|p|br)(?:[.\s/][^<>]{0,300})?>/gi;
/** Times of single words in a line. */
const timesInside = /<\d{1,3}(?::\d{1,2}){1,2}(?:\.\d{1,9})?>/g;
/** `{\an8}`, `{\i1}`, and MicroDVD's `{y:i}`, which some converters leave. */
const overrides = /\{\\[^{}]{0,500}\}|\{[yYcCfFsSpP]:[^{}]{0,40}\}/g;
const lineBreaks = /<br\s{0,5}\/?>|\\[Nn]/gi;
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", lrm: "", rlm: "" };

export function plainWords(marked: string): string {
	const bare = marked
		.replace(lineBreaks, "\n")
		.replace(timesInside, "")
		.replace(/<rt(?:[.\s][^<>]{0,300})?>/gi, "(")
		.replace(/<\/rt>/gi, ")")
		.replace(tags, "")
		.replace(overrides, "")
		.replace(/\\h/g, " ");
	return linesOf(bare.replace(entity, character)).join("\n");
}

/** The lines that are not empty, with single blanks. */
export function linesOf(text: string): readonly string[] {
	return text
		.split("\n")
		.map((line) => line.replace(/[\s\u200b\ufeff]+/g, " ").trim())
		.filter((line) => line !== "");
}

function character(whole: string, decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
	if (name !== undefined) return named[name.toLowerCase()] ?? whole;
	const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
	return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "";
}
