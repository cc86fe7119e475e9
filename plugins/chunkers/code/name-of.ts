/** Finds the name that a statement declares. */

export interface DeclaredName {
	readonly name: string;
	/** Whether it is a class, namespace or the like, whose members have names of their own. */
	readonly isContainer: boolean;
}

/** Longer names are truncated. */
const nameCharactersMax = 80;

const modifiers = String.raw`(?:(?:export|default|declare|abstract|public|private|protected|internal|fileprivate|static|final|sealed|partial|data|inline|open|unsafe|readonly|override|const|extern(?:\s+"\w+")?|virtual|typedef|companion|inner|annotation|indirect|local|async|suspend|operator|mutating|tailrec|pub(?:\([\w\s:]*\))?|@\w+(?:\([^()]*\))?)\s+)*`;
/** A class, interface, namespace and the like. */
const container = new RegExp(
	String.raw`^${modifiers}(?:enum\s+class|class|interface|struct|trait|impl|union|record|object|namespace|module|protocol|extension|mod|contract|library|defmodule|defprotocol|defimpl|service|enum|message)(?:\s*<[^<>]*>)?\s+([\w$:.~]*\w(?:<[^<>{]*>)?(?:\s+for\s+[\w$:.]*\w)?)`,
);
/** A function that begins with a keyword such as `function`, `def` or `fn`. */
const keywordFunction = new RegExp(
	String.raw`^${modifiers}(?:function|func|fun|fn|def|defp|defmacro|defmacrop|sub|proc|macro|method|macro_rules!|rpc)(?:\s*\*\s*|\s+)(?:<[^<>]*>\s*)?(?:\(\s*\w*\s*\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*)?([\w$:.~?!=<>+*-]*[\w?!=])`,
);
/** A function that is assigned to a name: `const name = (…) =>`. */
const assignedFunction =
	/^(?:export\s+)?(?:default\s+)?(?:local\s+)?(?:const|let|var|val)?\s*([\w$.]+)\s*(?::[^=]*)?(?:=|<-|:)\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>|\\\()/;
/** A method in JavaScript and the like: `name(…) {`. */
const scriptMethod =
	/^(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract|accessor)\s+)*[*#]?\s?([\w$#]+)\s*(?:<[^<>]*>)?\([^;]*\)\s*(?::[^;={]*)?\{/;
/** A function in C and the like: `type name(…`. */
const typedFunction = /^(?:[\w:<>,*&[\]~.@\s]*?[\w>\]*&]\s+[*&]*|(?=\w+::))([\w:~]*\w)\s*\([^;]*$/;
const scriptLanguages: ReadonlySet<string> = new Set(["javascript", "typescript", "jsx", "tsx", "vue", "svelte"]);
/** A constant, variable or type. */
const value = /^(?:export\s+)?(?:default\s+)?(?:pub\s+)?(?:static\s+)?(?:const|let|var|val|final|type)\s+([\w$]+)|^([A-Za-z_]\w*)\s*(?::[^=\n]*)?=(?!=)/;
/** Keywords that the patterns could take for names. */
const reservedWords = new Set(
	"if for while switch catch return new await else do try with match when unless until foreach synchronized using lock throw assert typeof sizeof case elif guard defer select go echo print printf import require include from".split(
		" ",
	),
);

/** Patterns of languages whose declarations the general patterns do not match. */
const languagePatterns: Readonly<Record<string, RegExp>> = {
	bash: /^(?:function\s+)?([\w:.-]+)\s*\(\s*\)|^function\s+([\w:.-]+)/,
	clojure: /^\(def\w*-?\s+(?:\^\S+\s+)?([^\s()]+)/,
	css: /^([^{;]+?)\s*\{/,
	erlang: /^([a-z]\w*)\(/,
	haskell: /^([a-z_][\w']*)\s*::|^(?:data|newtype|class|instance|type)\s+([\w'. ]+)/,
	less: /^([^{;]+?)\s*\{/,
	ocaml: /^(?:let(?:\s+rec)?|and|module|type|val)\s+([\w']+)/,
	scss: /^([^{;]+?)\s*\{/,
	sql: /^(?:create|alter)\s+(?:or\s+replace\s+)?(?:\w+\s+){0,2}?(?:table|view|function|procedure|trigger|index|type|schema)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i,
	terraform: /^\w+((?:\s+"[^"\n]*")+)\s*\{/,
};

/** @param head the beginning of the statement, without comments before it. */
export function nameOf(head: string, language: string): DeclaredName | null {
	const start = head.trimStart();
	const pattern = languagePatterns[language];
	if (pattern !== undefined) return declaredName(pattern.exec(start), false);
	const containerMatch = container.exec(start);
	if (containerMatch !== null) return declaredName(containerMatch, true);
	const method = keywordFunction.exec(start);
	// In Go the receiver type of a method comes before its name.
	if (method !== null) return declaredName(method, false, method[1] === undefined ? "" : `${method[1]}.`);
	const bound = assignedFunction.exec(start);
	if (bound !== null) return declaredName(bound, false);
	const first = /^\w+/.exec(start)?.[0] ?? "";
	const call = reservedWords.has(first) ? null : scriptLanguages.has(language) ? scriptMethod.exec(start) : typedFunction.exec(start.split("\n", 1)[0] ?? "");
	if (call !== null) return declaredName(call, false);
	return declaredName(value.exec(start), false);
}

function declaredName(match: RegExpExecArray | null, isContainer: boolean, receiver = ""): DeclaredName | null {
	const name = (match?.[2] ?? match?.[1] ?? "").replace(/["\s]+/g, " ").trim();
	if (name === "" || reservedWords.has(name)) return null;
	return { name: `${receiver}${name}`.slice(0, nameCharactersMax).toWellFormed(), isContainer };
}
