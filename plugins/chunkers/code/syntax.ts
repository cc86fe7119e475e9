/** The syntax needed to find where statements begin: comments, strings, and how nesting is written. */

export interface Syntax {
	/** Whether nesting shows by brackets or by indentation. */
	readonly nesting: "brackets" | "indentation";
	/** What begins a comment that goes on to the end of the line. */
	readonly lineComments: readonly string[];
	readonly blockComments: readonly (readonly [open: string, close: string])[];
	/** String delimiters, those of multi-line strings first. */
	readonly quotes: readonly Quote[];
	/** `<<END` begins a heredoc. */
	readonly hasHeredocs: boolean;
	/** A slash in the place of a value begins a regular expression. */
	readonly hasPatterns: boolean;
}

export interface Quote {
	readonly mark: string;
	readonly isMultiline: boolean;
	/** Only a single character may be quoted: the mark also begins lifetimes and primes. */
	readonly isCharacter?: boolean;
}

const double: Quote = { mark: '"', isMultiline: false };
const single: Quote = { mark: "'", isMultiline: false };
const character: Quote = { mark: "'", isMultiline: false, isCharacter: true };
const backtick: Quote = { mark: "`", isMultiline: true };
const triple: Quote = { mark: '"""', isMultiline: true };
const tripleSingle: Quote = { mark: "'''", isMultiline: true };
const doubleLines: Quote = { mark: '"', isMultiline: true };
const singleLines: Quote = { mark: "'", isMultiline: true };

const slashes: Syntax = {
	nesting: "brackets",
	lineComments: ["//"],
	blockComments: [["/*", "*/"]],
	quotes: [triple, double, character],
	hasHeredocs: false,
	hasPatterns: false,
};
const script: Syntax = { ...slashes, quotes: [backtick, double, single], hasPatterns: true };
const hashes: Syntax = {
	nesting: "indentation",
	lineComments: ["#"],
	blockComments: [],
	quotes: [triple, double, single],
	hasHeredocs: false,
	hasPatterns: false,
};
const shell: Syntax = { ...hashes, quotes: [doubleLines, singleLines], hasHeredocs: true };
const dashes: Syntax = { ...hashes, lineComments: ["--"], quotes: [double, character] };

const syntaxes: Readonly<Record<string, Syntax>> = {
	bash: shell,
	clojure: { ...hashes, lineComments: [";"], quotes: [doubleLines] },
	css: { ...slashes, lineComments: [], quotes: [double, single] },
	elixir: hashes,
	erlang: { ...hashes, lineComments: ["%"], quotes: [double, single] },
	go: { ...slashes, quotes: [backtick, double, character] },
	groovy: { ...slashes, quotes: [triple, tripleSingle, double, single] },
	haskell: { ...dashes, blockComments: [["{-", "-}"]] },
	javascript: script,
	jsx: script,
	julia: { ...hashes, blockComments: [["#=", "=#"]], quotes: [triple, double, character] },
	less: { ...slashes, quotes: [double, single] },
	lua: { ...dashes, blockComments: [["--[[", "]]"]], quotes: [double, single] },
	nim: { ...hashes, quotes: [triple, double, character] },
	ocaml: { ...dashes, lineComments: [], blockComments: [["(*", "*)"]] },
	perl: { ...hashes, nesting: "brackets", quotes: [double, single], hasHeredocs: true },
	php: { ...slashes, lineComments: ["//", "#"], quotes: [doubleLines, singleLines], hasHeredocs: true },
	powershell: { ...hashes, nesting: "brackets", blockComments: [["<#", "#>"]], quotes: [double, single] },
	python: { ...hashes, quotes: [triple, tripleSingle, double, single] },
	r: { ...hashes, nesting: "brackets", quotes: [doubleLines, singleLines] },
	ruby: { ...hashes, quotes: [double, single], hasHeredocs: true },
	scss: { ...slashes, quotes: [double, single] },
	sql: { ...dashes, blockComments: [["/*", "*/"]], quotes: [{ mark: "$$", isMultiline: true }, singleLines] },
	svelte: {
		...script,
		blockComments: [
			["/*", "*/"],
			["<!--", "-->"],
		],
		hasPatterns: false,
	},
	terraform: { ...slashes, lineComments: ["#", "//"], quotes: [double], hasHeredocs: true },
	tsx: script,
	typescript: script,
	vue: {
		...script,
		blockComments: [
			["/*", "*/"],
			["<!--", "-->"],
		],
		hasPatterns: false,
	},
};

/** Names used in Markdown fences. */
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

export function plainLanguage(language: string | null): string {
	const name = (language ?? "").toLowerCase();
	return aliases[name] ?? name;
}

/** For an unknown language, brackets and slashes are the best guess. */
export function syntaxOf(language: string): Syntax {
	return syntaxes[language] ?? slashes;
}
