/** Renders a formula as LaTeX that KaTeX, MathJax and language models read. */

import { type Formula, isEmpty, type MathVariant } from "../blocks/formula.ts";
import { accentCommand } from "./latex-accents.ts";
import { isFunctionName, latexSign } from "./latex-signs.ts";

/** Longer than any command name. */
const commandLengthMax = 32;

/** One line of LaTeX without dollar signs around it. */
export function latexOf(formula: Formula): string {
	return write(formula).replace(/\s+/g, " ").trim();
}

function write(formula: Formula): string {
	switch (formula.kind) {
		case "row":
			return joined(formula.parts.map(write));
		case "letters":
			return lettersOf(formula.text, formula.variant);
		case "name":
			return nameOf(formula.text);
		case "words":
			return wordsOf(formula.text);
		case "align":
			return "&";
		case "fraction":
			return `${formula.hasLine ? "\\frac" : "\\genfrac{}{}{0pt}{}"}${braced(formula.numerator)}${braced(formula.denominator)}`;
		case "root":
			return `\\sqrt${isEmpty(formula.degree) ? "" : `[${write(formula.degree as Formula).trim()}]`}${braced(formula.inside)}`;
		case "scripts":
			return scriptsOf(formula);
		case "stack":
			return stackOf(formula);
		case "accent":
			return accentOf(formula);
		case "fence":
			return fenceOf(formula);
		case "grid":
			return gridOf(formula.rows, formula.isSystem ? "aligned" : "matrix");
		case "call":
			return joined([write(formula.name), write(formula.inside)]);
		case "box":
			return `\\boxed${braced(formula.inside)}`;
	}
}

/** Puts a blank between a command and a letter: `\pi r`. Linear in the length of a row. */
function joined(parts: readonly string[]): string {
	const pieces: string[] = [];
	let before = "";
	for (const part of parts) {
		if (part === "") continue;
		if (/\\[a-z]+$/i.test(before.slice(-commandLengthMax)) && /^[a-z]/i.test(part)) pieces.push(" ");
		pieces.push(part);
		before = part;
	}
	return pieces.join("");
}

function braced(formula: Formula): string {
	return `{${write(formula).trim()}}`;
}

const looks: Readonly<Record<Exclude<MathVariant, "plain">, string>> = {
	upright: "mathrm",
	bold: "mathbf",
	"double-struck": "mathbb",
	script: "mathcal",
	fraktur: "mathfrak",
	"sans-serif": "mathsf",
	monospace: "mathtt",
};

function lettersOf(text: string, look: MathVariant): string {
	if (look === "upright" && isFunctionName(text)) return `\\${text}`;
	if (/(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Common}])\p{L}/u.test(text)) return wordsOf(text);
	const words = text.split(/(?<=[\p{L}\p{N}])\s+(?=[\p{L}\p{N}])/u);
	const line = words.map((word) => joined([...word].map(latexSign))).join("\\ ");
	const isStyled = look !== "plain" && (look === "upright" ? /\p{L}/u : /[\p{L}\p{N}]/u).test(text);
	return isStyled ? `\\${looks[look]}{${line.trim()}}` : line;
}

function wordsOf(text: string): string {
	return text === "" ? "" : `\\text{${text.replace(/[\\{}$%#&_^~]/g, escapedWord)}}`;
}

function nameOf(text: string): string {
	const name = text.trim();
	if (isFunctionName(name)) return `\\${name}`;
	return /^[a-z][a-z -]*$/i.test(name) ? `\\operatorname{${name.replaceAll(" ", "\\,")}}` : lettersOf(name, "plain");
}

function escapedWord(sign: string): string {
	const named: Readonly<Record<string, string>> = { "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" };
	return named[sign] ?? `\\${sign}`;
}

type Of<Kind extends Formula["kind"]> = Extract<Formula, { readonly kind: Kind }>;

function scriptsOf({ base, sub, sup, isPrescript }: Of<"scripts">): string {
	const scripts = `${script("_", sub)}${script("^", sup)}`;
	return isPrescript ? joined([`{}${scripts}`, write(base)]) : `${holding(base)}${scripts}`;
}

function script(sign: "_" | "^", formula: Formula | null): string {
	if (formula === null || isEmpty(formula)) return "";
	const primes = formula.kind === "letters" && sign === "^" && /^[′″‴']+$/.test(formula.text);
	return primes ? write(formula) : `${sign}${braced(formula)}`;
}

/** A base for scripts, in braces unless it is one symbol; LaTeX refuses a second script on the same base. */
function holding(base: Formula): string {
	const written = write(base).trim();
	if (written === "") return "{}";
	const last = base.kind === "row" ? base.parts.at(-1) : base;
	return last?.kind === "scripts" || last?.kind === "stack" || /[_^]\{[^{}]*\}$/.test(written) ? `{${written}}` : written;
}

/** LaTeX puts limits below a function name or a big operator, and the label below a brace; anything else needs `\underset`. */
function stackOf({ base, under, over }: Of<"stack">): string {
	if (takesLimits(base)) return `${write(base).trim()}${script("_", under)}${script("^", over)}`;
	const raised = isEmpty(over) || over === null ? write(base).trim() : `\\overset${braced(over)}{${write(base).trim()}}`;
	return isEmpty(under) || under === null ? raised : `\\underset${braced(under)}{${raised}}`;
}

function takesLimits(base: Formula): boolean {
	if (base.kind === "name") return true;
	if (base.kind === "accent") return /brace|bracket|paren/.test(accentCommand(base.sign, base.isBelow, true) ?? "");
	return base.kind === "letters" && (/^[∑∏∐∫-∰⋀-⋃⨀-⨆]$/.test(base.text.trim()) || (base.variant === "upright" && isFunctionName(base.text)));
}

function accentOf({ sign, isBelow, inside }: Of<"accent">): string {
	const isWide = !(inside.kind === "letters" && [...inside.text].length === 1);
	const command = accentCommand(sign, isBelow, isWide);
	if (command !== null) return `\\${command}${braced(inside)}`;
	return `\\${isBelow ? "underset" : "overset"}{${lettersOf(sign, "plain")}}${braced(inside)}`;
}

const fencedGrids: Readonly<Record<string, string>> = { "()": "pmatrix", "[]": "bmatrix", "{}": "Bmatrix", "||": "vmatrix", "‖‖": "Vmatrix" };

function fenceOf({ open, close, separator, parts }: Of<"fence">): string {
	const [only] = parts;
	const inside = parts.length === 1 ? only : undefined;
	if (inside?.kind === "grid") {
		const name = inside.isSystem ? undefined : fencedGrids[`${open}${close}`];
		if (name !== undefined) return gridOf(inside.rows, name);
		if (open === "{" && close === "") return gridOf(inside.rows, "cases");
	}
	if (inside?.kind === "fraction" && !inside.hasLine && open === "(" && close === ")") return `\\binom${braced(inside.numerator)}${braced(inside.denominator)}`;
	const middle = /^[|‖/]$/.test(separator) ? `\\middle${delimiter(separator)} ` : lettersOf(separator, "plain");
	return `${joined([`\\left${delimiter(open)}`, parts.map(write).join(middle).trim()])}\\right${delimiter(close)}`;
}

function delimiter(sign: string): string {
	return sign === "" ? "." : latexSign(sign);
}

function gridOf(rows: readonly (readonly Formula[])[], environment: string): string {
	const lines = rows.map((cells) => cells.map((cell) => write(cell).trim()).join(" & "));
	return `\\begin{${environment}}${lines.join(" \\\\ ")}\\end{${environment}}`;
}
