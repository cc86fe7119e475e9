/** Finds the name that a statement declares. */

export interface DeclaredName {
	readonly name: string;
	/** A class, namespace or the like, whose members have names of their own. */
	readonly isContainer: boolean;
}

const nameCharactersMax = 80;

const modifiers = String.raw`(?:(?:export|default|declare|abstract|public|private|protected|internal|fileprivate|static|final|sealed|partial|data|inline|open|unsafe|readonly|override|const|extern(?:\s+"\w+")?|virtual|typedef|companion|inner|annotation|indirect|local|async|suspend|operator|mutating|tailrec|pub(?:\([\w\s:]*\))?|@\w+(?:\([^()]*\))?)\s+)*`;
const container = new RegExp(
	String.raw`^${modifiers}(?:enum\s+class|class|interface|struct|trait|impl|union|record|object|namespace|module|protocol|extension|mod|contract|library|defmodule|defprotocol|defimpl|service|enum|message)(?:\s*<[^<>]*>)?\s+([\w$:.~]*\w(?:<[^<>{]*>)?(?:\s+for\s+[\w$:.]*\w)?)`,
);
const functionWord = new RegExp(
	String.raw`^${modifiers}(?:function|func|fun|fn|def|defp|defmacro|defmacrop|sub|proc|macro|method|macro_rules!|rpc)(?:\s*\*\s*|\s+)(?:<[^<>]*>\s*)?(?:\(\s*\w*\s*\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*)?([\w$:.~?!=<>+*-]*[\w?!=])`,
);
const boundFunction =
	/^(?:export\s+)?(?:default\s+)?(?:local\s+)?(?:const|let|var|val)?\s*([\w$.]+)\s*(?::[^=]*)?(?:=|<-|:)\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>|\\\()/;
/** `name(…) {`: a method in JavaScript and the like. */
const scriptMethod =
	/^(?:(?:public|private|protected|static|async|get|set|override|readonly|abstract|accessor)\s+)*[*#]?\s?([\w$#]+)\s*(?:<[^<>]*>)?\([^;]*\)\s*(?::[^;={]*)?\{/;
/** `type name(…`: a function in C and the like. */
const typed = /^(?:[\w:<>,*&[\]~.@\s]*?[\w>\]*&]\s+[*&]*|(?=\w+::))([\w:~]*\w)\s*\([^;]*$/;
const scripts: ReadonlySet<string> = new Set(["javascript", "typescript", "jsx", "tsx", "vue", "svelte"]);
const value = /^(?:export\s+)?(?:default\s+)?(?:pub\s+)?(?:static\s+)?(?:const|let|var|val|final|type)\s+([\w$]+)|^([A-Za-z_]\w*)\s*(?::[^=\n]*)?=(?!=)/;
const noNames = new Set(
	"if for while switch catch return new await else do try with match when unless until foreach synchronized using lock throw assert typeof sizeof case elif guard defer select go echo print printf import require include from".split(
		" ",
	),
);

const special: Readonly<Record<string, RegExp>> = {
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
	const own = special[language];
	if (own !== undefined) return found(own.exec(start), false);
	const inside = container.exec(start);
	if (inside !== null) return found(inside, true);
	const method = functionWord.exec(start);
	// The type that a method of Go belongs to stands before its name.
	if (method !== null) return found(method, false, method[1] === undefined ? "" : `${method[1]}.`);
	const bound = boundFunction.exec(start);
	if (bound !== null) return found(bound, false);
	const first = /^\w+/.exec(start)?.[0] ?? "";
	const call = noNames.has(first) ? null : scripts.has(language) ? scriptMethod.exec(start) : typed.exec(start.split("\n", 1)[0] ?? "");
	if (call !== null) return found(call, false);
	return found(value.exec(start), false);
}

function found(match: RegExpExecArray | null, isContainer: boolean, before = ""): DeclaredName | null {
	const name = (match?.[2] ?? match?.[1] ?? "").replace(/["\s]+/g, " ").trim();
	if (name === "" || noNames.has(name)) return null;
	return { name: `${before}${name}`.slice(0, nameCharactersMax).toWellFormed(), isContainer };
}
