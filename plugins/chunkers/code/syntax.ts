/** The syntax needed to find where statements begin: comments, strings, and how nesting is written. */

export interface Syntax {
	/** Whether blocks are marked by brackets or by indentation. */
	readonly nesting: "brackets" | "indentation";
	/** Tokens that begin a comment up to the end of the line. */
	readonly lineComments: readonly string[];
	readonly blockComments: readonly (readonly [open: string, close: string])[];
	/** String delimiters, those of multi-line strings first. */
	readonly quotes: readonly Quote[];
	/** Whether `<<END` begins a heredoc. */
	readonly hasHeredocs: boolean;
	/** Whether a slash where a value is expected begins a regular expression. */
	readonly hasRegexes: boolean;
}

export interface Quote {
	readonly mark: string;
	readonly isMultiline: boolean;
	/** Whether the mark quotes single characters only, because it also begins lifetimes (Rust) and primes (Haskell). */
	readonly isCharacter?: boolean;
}

const double: Quote = { mark: '"', isMultiline: false };
const single: Quote = { mark: "'", isMultiline: false };
const character: Quote = { mark: "'", isMultiline: false, isCharacter: true };
const backtick: Quote = { mark: "`", isMultiline: true };
const triple: Quote = { mark: '"""', isMultiline: true };
const tripleSingle: Quote = { mark: "'''", isMultiline: true };
const multilineDouble: Quote = { mark: '"', isMultiline: true };
const multilineSingle: Quote = { mark: "'", isMultiline: true };

const cLike: Syntax = {
	nesting: "brackets",
	lineComments: ["//"],
	blockComments: [["/*", "*/"]],
	quotes: [triple, double, character],
	hasHeredocs: false,
	hasRegexes: false,
};
const scriptLike: Syntax = { ...cLike, quotes: [backtick, double, single], hasRegexes: true };
const hashComments: Syntax = {
	nesting: "indentation",
	lineComments: ["#"],
	blockComments: [],
	quotes: [triple, double, single],
	hasHeredocs: false,
	hasRegexes: false,
};
const shell: Syntax = { ...hashComments, quotes: [multilineDouble, multilineSingle], hasHeredocs: true };
const dashComments: Syntax = { ...hashComments, lineComments: ["--"], quotes: [double, character] };

const syntaxes: Readonly<Record<string, Syntax>> = {
	bash: shell,
	clojure: { ...hashComments, lineComments: [";"], quotes: [multilineDouble] },
	css: { ...cLike, lineComments: [], quotes: [double, single] },
	elixir: hashComments,
	erlang: { ...hashComments, lineComments: ["%"], quotes: [double, single] },
	go: { ...cLike, quotes: [backtick, double, character] },
	groovy: { ...cLike, quotes: [triple, tripleSingle, double, single] },
	haskell: { ...dashComments, blockComments: [["{-", "-}"]] },
	javascript: scriptLike,
	jsx: scriptLike,
	julia: { ...hashComments, blockComments: [["#=", "=#"]], quotes: [triple, double, character] },
	less: { ...cLike, quotes: [double, single] },
	lua: { ...dashComments, blockComments: [["--[[", "]]"]], quotes: [double, single] },
	nim: { ...hashComments, quotes: [triple, double, character] },
	ocaml: { ...dashComments, lineComments: [], blockComments: [["(*", "*)"]] },
	perl: { ...hashComments, nesting: "brackets", quotes: [double, single], hasHeredocs: true },
	php: { ...cLike, lineComments: ["//", "#"], quotes: [multilineDouble, multilineSingle], hasHeredocs: true },
	powershell: { ...hashComments, nesting: "brackets", blockComments: [["<#", "#>"]], quotes: [double, single] },
	python: { ...hashComments, quotes: [triple, tripleSingle, double, single] },
	r: { ...hashComments, nesting: "brackets", quotes: [multilineDouble, multilineSingle] },
	ruby: { ...hashComments, quotes: [double, single], hasHeredocs: true },
	scss: { ...cLike, quotes: [double, single] },
	sql: { ...dashComments, blockComments: [["/*", "*/"]], quotes: [{ mark: "$$", isMultiline: true }, multilineSingle] },
	svelte: {
		...scriptLike,
		blockComments: [
			["/*", "*/"],
			["<!--", "-->"],
		],
		hasRegexes: false,
	},
	terraform: { ...cLike, lineComments: ["#", "//"], quotes: [double], hasHeredocs: true },
	tsx: scriptLike,
	typescript: scriptLike,
	vue: {
		...scriptLike,
		blockComments: [
			["/*", "*/"],
			["<!--", "-->"],
		],
		hasRegexes: false,
	},
};

/** Other names of languages, as used in Markdown fences. */
const aliases: Readonly<Record<string, string>> = {
	sh: "bash",
	shell: "bash",
	zsh: "bash",
	js: "javascript",
	ts: "typescript",
	py: "python",
	python3: "python",
	rb: "ruby",
	rs: "rust",
	golang: "go",
	hcl: "terraform",
};

/** The name of a language in lower case, with aliases resolved. */
export function languageName(language: string | null): string {
	const name = (language ?? "").toLowerCase();
	return aliases[name] ?? name;
}

/** For an unknown language, the syntax of C is the best guess. */
export function syntaxOf(language: string): Syntax {
	return syntaxes[language] ?? cLike;
}
