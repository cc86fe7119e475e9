/** Removes tags and overrides from subtitle text, and decodes entities. Every pattern has a maximum length, since a file may be a million brackets. */

/** Tags of WebVTT, SubRip and converters between them. Anything else in angle brackets is text, such as `<3` and `<laughs>`. */
const tags = /<\/?(?:[bciuvs]|ruby|rt|rp|lang|font|span|p|br)(?:[.\s/][^<>]{0,300})?>/gi;
/** Times of single words in a line. */
const wordTimes = /<\d{1,3}(?::\d{1,2}){1,2}(?:\.\d{1,9})?>/g;
/** Formatting such as `{\an8}` and `{\i1}`, and MicroDVD's `{y:i}`, which some converters leave in the text. */
const overrides = /\{\\[^{}]{0,500}\}|\{[yYcCfFsSpP]:[^{}]{0,40}\}/g;
const lineBreaks = /<br\s{0,5}\/?>|\\[Nn]/gi;
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;

const namedEntities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", lrm: "", rlm: "" };

export function plainWords(markup: string): string {
	const withoutMarkup = markup
		.replace(lineBreaks, "\n")
		.replace(wordTimes, "")
		.replace(/<rt(?:[.\s][^<>]{0,300})?>/gi, "(")
		.replace(/<\/rt>/gi, ")")
		.replace(tags, "")
		.replace(overrides, "")
		.replace(/\\h/g, " ");
	return linesOf(withoutMarkup.replace(entity, decodeEntity)).join("\n");
}

/** The lines that are not empty, with white space reduced to single spaces. */
export function linesOf(text: string): readonly string[] {
	return text
		.split("\n")
		.map((line) => line.replace(/[\s\u200b\ufeff]+/g, " ").trim())
		.filter((line) => line !== "");
}

function decodeEntity(match: string, decimal: string | undefined, hex: string | undefined, name: string | undefined): string {
	if (name !== undefined) return namedEntities[name.toLowerCase()] ?? match;
	const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
	return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : "";
}
