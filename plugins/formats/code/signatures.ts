/** Signatures of source code, by extension or by the first line. There is a media type for each language. */

import type { FileSignature, MediaType } from "cairn-memory";

/** The media type of each language with its file extensions. Formats of configuration and prose are left out. */
const extensions = {
	"text/x-bash": "sh bash zsh ksh",
	"text/x-c": "c h",
	"text/x-clojure": "clj cljs",
	"text/x-cpp": "cc cpp cxx hh hpp hxx",
	"text/x-csharp": "cs",
	"text/x-css": "css scss less",
	"text/x-dart": "dart",
	"text/x-elixir": "ex exs",
	"text/x-erlang": "erl hrl",
	"text/x-go": "go",
	"text/x-groovy": "groovy gradle",
	"text/x-haskell": "hs",
	"text/x-java": "java",
	"text/x-javascript": "js mjs cjs jsx",
	"text/x-julia": "jl",
	"text/x-kotlin": "kt kts",
	"text/x-lua": "lua",
	"text/x-nim": "nim",
	"text/x-objective-c": "mm",
	"text/x-ocaml": "ml mli",
	"text/x-perl": "pl pm",
	"text/x-php": "php",
	"text/x-powershell": "ps1 psm1",
	"text/x-protobuf": "proto",
	"text/x-python": "py pyi pyw",
	"text/x-r": "r",
	"text/x-ruby": "rb rake",
	"text/x-rust": "rs",
	"text/x-scala": "scala sc",
	"text/x-solidity": "sol",
	"text/x-sql": "sql",
	"text/x-svelte": "svelte",
	"text/x-swift": "swift",
	"text/x-terraform": "tf",
	"text/x-typescript": "ts tsx mts cts",
	"text/x-vue": "vue",
	"text/x-zig": "zig",
} as const satisfies Readonly<Record<string, string>>;

/** Interpreters of shebang lines: `#!/usr/bin/env python3`. */
const interpreters: readonly (readonly [name: RegExp, type: MediaType])[] = [
	[/^(?:ba|z|k|da|a)?sh$/, "text/x-bash"],
	[/^(?:node|deno|nodejs)$/, "text/x-javascript"],
	[/^(?:bun|ts-node|tsx)$/, "text/x-typescript"],
	[/^python[\d.]*$/, "text/x-python"],
	[/^ruby[\d.]*$/, "text/x-ruby"],
	[/^perl[\d.]*$/, "text/x-perl"],
	[/^php[\d.]*$/, "text/x-php"],
	[/^lua[\d.]*$/, "text/x-lua"],
	[/^(?:Rscript|r)$/, "text/x-r"],
	[/^elixir$/, "text/x-elixir"],
	[/^julia$/, "text/x-julia"],
];

/** Beginnings of files that prose does not have. They are used for files without a known extension. */
const beginnings: readonly (readonly [start: RegExp, type: MediaType])[] = [
	[/^<\?php\b/, "text/x-php"],
	[/^(?:\/\/[^\n]*\n|\s)*package [a-z]\w*\n[\s\S]*^(?:func|import|type|var|const)\b/m, "text/x-go"],
	[/^(?:\/\/[^\n]*\n|\/\*[\s\S]{0,4000}?\*\/|\s)*#\s*include\s*[<"][\w./+-]+[>"]/, "text/x-c"],
	[/^(?:\/\/[^\n]*\n|\/\*[\s\S]{0,4000}?\*\/|\s)*package [a-z][\w.]*;\s/, "text/x-java"],
];

/** Other media types that clients use for these languages. */
const aliases: Readonly<Record<string, readonly MediaType[]>> = {
	"text/x-bash": ["application/x-sh"],
	"text/x-css": ["text/css"],
	"text/x-javascript": ["text/javascript", "application/javascript"],
	"text/x-sql": ["application/sql"],
	"text/x-typescript": ["application/typescript"],
};

const typesAndExtensions = Object.entries(extensions) as readonly [MediaType, string][];

export const codeSignatures: readonly FileSignature[] = typesAndExtensions.map(([mediaType, extensionList]) => {
	const interpreterNames = interpreters.filter(([, type]) => type === mediaType).map(([name]) => name);
	const starts = beginnings.filter(([, type]) => type === mediaType).map(([start]) => start);
	return {
		mediaType,
		extensions: extensionList.split(" "),
		aliases: aliases[mediaType] ?? [],
		...(interpreterNames.length + starts.length > 0 && { resembles: (start) => isCode(start, interpreterNames, starts) }),
	};
});

function isCode(start: string, interpreterNames: readonly RegExp[], starts: readonly RegExp[]): boolean {
	const shebang = /^#!\s*(?:\S*\/)?([\w.-]+)(?:[^\S\n]+(?:-S[^\S\n]+)?([\w.-]+))?/.exec(start);
	if (shebang === null) return starts.some((pattern) => pattern.test(start));
	const name = (shebang[1] === "env" ? shebang[2] : shebang[1]) ?? "";
	return interpreterNames.some((pattern) => pattern.test(name));
}
