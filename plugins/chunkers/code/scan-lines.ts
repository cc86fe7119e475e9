/** Reads the lines of source code with their nesting level in one pass. Brackets in strings and comments are ignored. */

import type { Quote, Syntax } from "./syntax.ts";

export interface CodeLine {
	/** Offsets in the text; `end` is before the line break. */
	readonly begin: number;
	readonly end: number;
	/** `inside` continues a string, or brackets, of an earlier line. */
	readonly kind: "blank" | "comment" | "code" | "inside";
	/** The bracket depth, or the indentation in languages that nest by indentation. */
	readonly level: number;
	/** The width of the white space at the start, in columns. */
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
	readonly #token: RegExp;
	readonly #lines: CodeLine[] = [];
	/** The bracket depth. */
	#depth = 0;
	/** The bracket depths of the `${` expressions that are open. */
	readonly #templates: number[] = [];
	#lineBegin = 0;
	#lineDepth = 0;
	#lineState: "code" | "comment" | "text" = "code";
	#heredoc: string | null = null;
	/** Heredoc terminators that do not occur in the rest of the text, so that each is searched only once. */
	readonly #missingTerminators = new Set<string>();
	/** The offset of the next line break after `#breakFrom`. It is cached, because long lines ask for it repeatedly. */
	#breakFrom = 0;
	#breakAt = -1;

	constructor(text: string, syntax: Syntax) {
		this.#text = text;
		this.#syntax = syntax;
		const marks = [...syntax.blockComments.map(([open]) => open), ...syntax.lineComments, ...syntax.quotes.map(({ mark }) => mark)];
		const heredoc = syntax.hasHeredocs ? ["<<"] : [];
		const regex = syntax.hasRegexes ? ["/"] : [];
		this.#token = new RegExp([...marks, ...heredoc, ...regex].map(escapeRegex).concat("[()[\\]{}\\n\\\\]").join("|"), "g");
	}

	scan(): readonly CodeLine[] {
		const { lineComments, blockComments, quotes } = this.#syntax;
		this.#token.lastIndex = 0;
		for (let match = this.#token.exec(this.#text); match !== null; match = this.#token.exec(this.#text)) {
			const [token] = match;
			const at = match.index;
			const block = blockComments.find(([open]) => open === token);
			const quote = quotes.find(({ mark }) => mark === token);
			if (token === "\n") this.#endLine(at, "code");
			else if (token === "\\") this.#token.lastIndex = this.#text[at + 1] === "\n" ? at + 1 : at + 2;
			else if (block !== undefined) this.#skip(at, this.#text.indexOf(block[1], at + token.length), block[1].length, "comment");
			else if (lineComments.includes(token) && this.#beginsComment(token, at)) this.#token.lastIndex = this.#lineEnd(at);
			else if (quote !== undefined) this.#readQuote(quote, at);
			else if (token === "<<") this.#readHeredoc(at);
			else if (token === "/") this.#readRegex(at);
			else this.#readBracket(token, at);
		}
		this.#endLine(this.#text.length, "code");
		return this.#lines;
	}

	/** A shell does not treat a `#` within a word as a comment. */
	#beginsComment(token: string, at: number): boolean {
		return token !== "#" || at === 0 || /[\s;(){}[\],]/.test(this.#text.charAt(at - 1));
	}

	#readBracket(token: string, at: number): void {
		if (opening.includes(token)) {
			this.#depth++;
			return;
		}
		if (token === "}" && this.#templates.at(-1) === this.#depth) {
			this.#templates.pop();
			this.#depth--;
			this.#readTemplate(at + 1);
			return;
		}
		this.#depth = Math.max(0, this.#depth - 1);
	}

	#readQuote({ mark, isMultiline, isCharacter = false }: Quote, at: number): void {
		if (mark === "`" && this.#syntax.hasRegexes) {
			this.#readTemplate(at + 1);
			return;
		}
		if (isCharacter) {
			const token = /'(?:\\[^\n]{1,10}?|[^'\\\n])'/y;
			token.lastIndex = at;
			if (token.test(this.#text)) this.#token.lastIndex = token.lastIndex;
			return;
		}
		const begin = at + mark.length;
		const limit = isMultiline ? this.#text.length : this.#lineEnd(at);
		let end = this.#text.indexOf(mark, begin);
		while (end >= 0 && end < limit && isEscaped(this.#text, end, begin)) end = this.#text.indexOf(mark, end + 1);
		// An unclosed quotation mark is no string; it may be an apostrophe in a comment of an unknown language.
		if (end < 0 || end >= limit) return;
		this.#skip(at, end, mark.length, "text");
	}

	/** Reads a template string up to its end or to the next expression in it. */
	#readTemplate(from: number): void {
		const token = /\\[\s\S]|`|\$\{/g;
		token.lastIndex = from;
		for (let found = token.exec(this.#text); found !== null; found = token.exec(this.#text)) {
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
		this.#token.lastIndex = word === undefined ? at + 2 : open.lastIndex;
		this.#heredoc = word ?? this.#heredoc;
	}

	/** A slash after a value is a division; elsewhere it begins a regular expression. */
	#readRegex(at: number): void {
		const before = this.#text.slice(Math.max(0, at - 40), at).trimEnd();
		if (before !== "" && !/(?:[([{,;=:?!&|+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))$/.test(before)) return;
		const regex = /\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,300}\]|[^/\\[\n]){1,300}\/[a-z]*/y;
		regex.lastIndex = at;
		if (regex.test(this.#text)) this.#token.lastIndex = regex.lastIndex;
	}

	/** Continues after a comment or a string. Lines that begin inside it are recorded with this state. */
	#skip(from: number, end: number, markLength: number, state: "comment" | "text"): void {
		const to = end < 0 ? this.#text.length : end + markLength;
		for (let line = this.#lineEnd(from); line < to; line = this.#lineEnd(line + 1)) this.#endLine(line, state);
		this.#token.lastIndex = to;
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
		if (this.#missingTerminators.has(word)) return;
		const terminator = new RegExp(`^[ \\t]*${word}\\b`, "gm");
		terminator.lastIndex = this.#lineBegin;
		const found = terminator.exec(this.#text);
		if (found === null) this.#missingTerminators.add(word);
		else this.#skip(this.#lineBegin, found.index, found[0].length, "text");
	}

	#lineOf(end: number): CodeLine {
		const begin = this.#lineBegin;
		const text = this.#text.slice(begin, Math.min(end, begin + 400));
		const start = text.trimStart();
		const indent = widthOf(text.slice(0, text.length - start.length));
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

function escapeRegex(mark: string): string {
	return mark.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
