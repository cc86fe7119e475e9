/** Markdown, HTML or plain text → the words it says, so that readers that write marks and readers that do not can be compared. */

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

const inlineTags =
	/<\/?(?:p|br|div|span|b|i|u|em|strong|sub|sup|table|thead|tbody|tfoot|tr|td|th|ul|ol|li|h[1-6]|a|img|code|pre|del|s|small|mark|blockquote|hr|figure|figcaption|section|article|details|summary)(?:\s[^<>]*)?\/?>/gi;

export function plainText(text: string): string {
	const unmarked = text
		.replace(/\r\n?/g, "\n")
		.replace(/^\uFEFF/, "")
		.replace(/<!--[\s\S]*?-->/g, " ")
		.replace(/!\[([^\]]*)\]\((?:data:[^)]*|[^)]*)\)/g, " $1 ")
		.replace(/\[([^\]]*)\]\((?:<[^>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/g, "$1")
		.replace(inlineTags, " ")
		.replace(/^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*\|?\s*$/gm, " ") // the line below a table's header
		.replace(/^\s*(?:[-*_]\s*){3,}$/gm, " ")
		.replace(/^\s*[=-]{3,}\s*$/gm, " ")
		.replace(/^```.*$/gm, " ")
		.replace(/^\s{0,3}#{1,6}\s+/gm, "")
		.replace(/^\s{0,3}>\s?/gm, "")
		.replace(/\\([\\`*_{}[\]()#+\-.!|<>~$])/g, "$1")
		.replace(/[*`~|]/g, " ")
		.replace(/(^|[^\p{L}\p{N}])_+|_+(?=[^\p{L}\p{N}]|$)/gu, "$1 ");
	return unescaped(unescaped(unmarked));
}

function unescaped(text: string): string {
	return text.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole: string, name: string) => {
		if (!name.startsWith("#")) return named[name.toLowerCase()] ?? whole;
		const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
		return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}

/** In scripts without spaces each sign counts as a word. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, "gu");

/** The words in their order, lower case, one spelling for each sign. A word cut at the end of a line is one word. */
export function wordsOf(text: string): readonly string[] {
	const even = plainText(text)
		.normalize("NFKC")
		.replace(/\u00AD/g, "")
		.replace(/(\p{Ll})-\n\s*(\p{Ll})/gu, "$1$2")
		.toLowerCase();
	return even.match(word) ?? [];
}

/** The letters on one line, quotes and dashes in one form, for counting wrong ones. */
export function lettersOf(text: string): readonly string[] {
	const even = plainText(text)
		.normalize("NFKC")
		.replace(/[\u2018\u2019]/g, "'")
		.replace(/[\u201C\u201D]/g, '"')
		.replace(/[\u2010-\u2015]/g, "-")
		.replace(/\s+/g, " ")
		.trim();
	return [...even].slice(0, 20_000);
}

export function headingsOf(text: string): readonly string[] {
	return [...text.matchAll(/^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm)].map(([, heading = ""]) => wordsOf(heading).join(" ")).filter((heading) => heading !== "");
}

/** What stands between the bars of Markdown tables. */
export function cellsOf(text: string): readonly string[] {
	const rows = text.split(/\r?\n/).filter((line) => /^\s*\|.*\|\s*$/.test(line) && !/^[\s|:-]+$/.test(line));
	const cells = rows.flatMap((row) =>
		row
			.trim()
			.replace(/^\||\|$/g, "")
			.split(/(?<!\\)\|/),
	);
	return cells.map((cell) => wordsOf(cell).join(" ")).filter((cell) => cell !== "");
}
