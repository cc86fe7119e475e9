/** Source code → lines with their nesting level, ignoring brackets in strings and comments. One pass. */

import type { Quote, Syntax } from "./syntax.ts";

export interface CodeLine {
	/** Offsets in the text, without the line break. */
	readonly begin: number;
	readonly end: number;
	readonly kind: "blank" | "comment" | "code" /** goes on inside of a text or of brackets that began before */ | "inside";
	readonly level: number;
	readonly indent: number;
}

const tabWidth = 4;
const opening = "([{";

export function scanLines(text: string, syntax: Syntax): readonly CodeLine[] {
	const scanner = new Scanner(text, syntax);
	return scanner.scan();
}

class Scanner {
	readonly #text: string;
	readonly #syntax: Syntax;
	readonly #sign: RegExp;
	readonly #lines: CodeLine[] = [];
	/** The bracket depth, and the depths at which a `${` is open. */
	#depth = 0;
	readonly #templates: number[] = [];
	#lineBegin = 0;
	#lineDepth = 0;
	#lineState: "code" | "comment" | "text" = "code";
	#heredoc: string | null = null;
	/** Heredoc terminators that do not occur any more, so that they are searched only once. */
	readonly #endless = new Set<string>();
	/** The last line break found, and from where: it is asked for repeatedly on long lines. */
	#breakFrom = 0;
	#breakAt = -1;

	constructor(text: string, syntax: Syntax) {
		this.#text = text;
		this.#syntax = syntax;
		const marks = [...syntax.blockComments.map(([open]) => open), ...syntax.lineComments, ...syntax.quotes.map(({ mark }) => mark)];
		const heredoc = syntax.hasHeredocs ? ["<<"] : [];
		const pattern = syntax.hasPatterns ? ["/"] : [];
		this.#sign = new RegExp([...marks, ...heredoc, ...pattern].map(escaped).concat("[()[\\]{}\\n\\\\]").join("|"), "g");
	}

	scan(): readonly CodeLine[] {
		const { lineComments, blockComments, quotes } = this.#syntax;
		this.#sign.lastIndex = 0;
		for (let found = this.#sign.exec(this.#text); found !== null; found = this.#sign.exec(this.#text)) {
			const [sign] = found;
			const at = found.index;
			const block = blockComments.find(([open]) => open === sign);
			const quote = quotes.find(({ mark }) => mark === sign);
			if (sign === "\n") this.#endLine(at, "code");
			else if (sign === "\\") this.#sign.lastIndex = this.#text[at + 1] === "\n" ? at + 1 : at + 2;
			else if (block !== undefined) this.#skip(at, this.#text.indexOf(block[1], at + sign.length), block[1].length, "comment");
			else if (lineComments.includes(sign) && this.#beginsComment(sign, at)) this.#sign.lastIndex = this.#lineEnd(at);
			else if (quote !== undefined) this.#readQuote(quote, at);
			else if (sign === "<<") this.#readHeredoc(at);
			else if (sign === "/") this.#readPattern(at);
			else this.#readBracket(sign, at);
		}
		this.#endLine(this.#text.length, "code");
		return this.#lines;
	}

	/** In a shell `#` within a word does not begin a comment. */
	#beginsComment(sign: string, at: number): boolean {
		return sign !== "#" || at === 0 || /[\s;(){}[\],]/.test(this.#text.charAt(at - 1));
	}

	#readBracket(sign: string, at: number): void {
		if (opening.includes(sign)) {
			this.#depth++;
			return;
		}
		if (sign === "}" && this.#templates.at(-1) === this.#depth) {
			this.#templates.pop();
			this.#depth--;
			this.#readTemplate(at + 1);
			return;
		}
		this.#depth = Math.max(0, this.#depth - 1);
	}

	#readQuote({ mark, isMultiline, isCharacter = false }: Quote, at: number): void {
		if (mark === "`" && this.#syntax.hasPatterns) {
			this.#readTemplate(at + 1);
			return;
		}
		if (isCharacter) {
			const sign = /'(?:\\[^\n]{1,10}?|[^'\\\n])'/y;
			sign.lastIndex = at;
			if (sign.test(this.#text)) this.#sign.lastIndex = sign.lastIndex;
			return;
		}
		const begin = at + mark.length;
		const limit = isMultiline ? this.#text.length : this.#lineEnd(at);
		let end = this.#text.indexOf(mark, begin);
		while (end >= 0 && end < limit && isEscaped(this.#text, end, begin)) end = this.#text.indexOf(mark, end + 1);
		// An unclosed quote is no string, such as an apostrophe in a comment of an unknown language.
		if (end < 0 || end >= limit) return;
		this.#skip(at, end, mark.length, "text");
	}

	/** Reads a template string up to its end, or to an expression in it. */
	#readTemplate(from: number): void {
		const sign = /\\[\s\S]|`|\$\{/g;
		sign.lastIndex = from;
		for (let found = sign.exec(this.#text); found !== null; found = sign.exec(this.#text)) {
			if (found[0].startsWith("\\")) continue;
			this.#skip(from, found.index, found[0].length, "text");
			if (found[0] === "${") this.#templates.push(++this.#depth);
			return;
		}
		this.#skip(from, -1, 0, "text");
	}

	#readHeredoc(at: number): void {
		const open = /<<[-~<]?\s?(["']?)([A-Za-z_]\w*)\1/y;
		open.lastIndex = at;
		const word = open.exec(this.#text)?.[2];
		this.#sign.lastIndex = word === undefined ? at + 2 : open.lastIndex;
		this.#heredoc = word ?? this.#heredoc;
	}

	/** A division stands behind a value, a pattern does not. */
	#readPattern(at: number): void {
		const before = this.#text.slice(Math.max(0, at - 40), at).trimEnd();
		if (before !== "" && !/(?:[([{,;=:?!&|+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))$/.test(before)) return;
		const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,300}\]|[^/\\[\n]){1,300}\/[a-z]*/y;
		pattern.lastIndex = at;
		if (pattern.test(this.#text)) this.#sign.lastIndex = pattern.lastIndex;
	}

	/** Goes on behind a comment or a text; the lines that begin inside of it know so. */
	#skip(from: number, end: number, markLength: number, state: "comment" | "text"): void {
		const to = end < 0 ? this.#text.length : end + markLength;
		for (let line = this.#lineEnd(from); line < to; line = this.#lineEnd(line + 1)) this.#endLine(line, state);
		this.#sign.lastIndex = to;
	}

	#lineEnd(at: number): number {
		if (at < this.#breakFrom || at > this.#breakAt) {
			const end = this.#text.indexOf("\n", at);
			this.#breakFrom = at;
			this.#breakAt = end < 0 ? this.#text.length : end;
		}
		return this.#breakAt;
	}

	#endLine(end: number, next: "code" | "comment" | "text"): void {
		this.#lines.push(this.#lineOf(end));
		this.#lineBegin = end + 1;
		this.#lineDepth = this.#depth;
		this.#lineState = next;
		const word = this.#heredoc;
		if (word === null || next !== "code") return;
		this.#heredoc = null;
		if (this.#endless.has(word)) return;
		const close = new RegExp(`^[ \\t]*${word}\\b`, "gm");
		close.lastIndex = this.#lineBegin;
		const found = close.exec(this.#text);
		if (found === null) this.#endless.add(word);
		else this.#skip(this.#lineBegin, found.index, found[0].length, "text");
	}

	#lineOf(end: number): CodeLine {
		const begin = this.#lineBegin;
		const written = this.#text.slice(begin, Math.min(end, begin + 400));
		const start = written.trimStart();
		const indent = widthOf(written.slice(0, written.length - start.length));
		const closers = /^[)\]}]+/.exec(start)?.[0].length ?? 0;
		const isIndented = this.#syntax.nesting === "indentation";
		const level = isIndented ? indent : Math.max(0, this.#lineDepth - closers);
		if (start === "") return { begin, end, kind: "blank", level, indent };
		if (this.#lineState === "comment") return { begin, end, kind: "comment", level, indent };
		if (this.#lineState === "text" || (isIndented && this.#lineDepth > 0)) return { begin, end, kind: "inside", level, indent };
		const isComment = [...this.#syntax.lineComments, ...this.#syntax.blockComments.map(([open]) => open)].some((mark) => start.startsWith(mark));
		return { begin, end, kind: isComment ? "comment" : "code", level, indent };
	}
}

function widthOf(blanks: string): number {
	let width = 0;
	for (const blank of blanks) width += blank === "\t" ? tabWidth : 1;
	return width;
}

function isEscaped(text: string, at: number, from: number): boolean {
	let slashes = 0;
	while (at - 1 - slashes >= from && text[at - 1 - slashes] === "\\") slashes++;
	return slashes % 2 === 1;
}

function escaped(mark: string): string {
	return mark.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
