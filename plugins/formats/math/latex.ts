/** Renders a formula as LaTeX that KaTeX, MathJax and language models understand. */

import { type Formula, isEmpty, type MathVariant } from "../blocks/formula.ts";
import { accentCommand } from "./latex-accents.ts";
import { isFunctionName, latexSymbol } from "./latex-symbols.ts";

/** No command name is longer. */
const commandLengthMax = 32;

/** One line of LaTeX without dollar signs around it. */
export function latexOf(formula: Formula): string {
	return write(formula).replace(/\s+/g, " ").trim();
}

function write(formula: Formula): string {
	switch (formula.kind) {
		case "row":
			return joinParts(formula.parts.map(write));
		case "symbols":
			return symbolsLatex(formula.text, formula.variant);
		case "name":
			return nameLatex(formula.text);
		case "prose":
			return textLatex(formula.text);
		case "align":
			return "&";
		case "fraction":
			return `${formula.hasLine ? "\\frac" : "\\genfrac{}{}{0pt}{}"}${inBraces(formula.numerator)}${inBraces(formula.denominator)}`;
		case "root":
			return `\\sqrt${isEmpty(formula.degree) ? "" : `[${write(formula.degree as Formula).trim()}]`}${inBraces(formula.content)}`;
		case "scripts":
			return scriptsLatex(formula);
		case "stack":
			return stackLatex(formula);
		case "accent":
			return accentLatex(formula);
		case "fence":
			return fenceLatex(formula);
		case "grid":
			return gridLatex(formula.rows, formula.isSystem ? "aligned" : "matrix");
		case "call":
			return joinParts([write(formula.name), write(formula.argument)]);
		case "box":
			return `\\boxed${inBraces(formula.content)}`;
	}
}

/** Joins the parts of a row, with a space between a command and a letter: `\pi r`. Takes time linear in the length of the row. */
function joinParts(parts: readonly string[]): string {
	const pieces: string[] = [];
	let previous = "";
	for (const part of parts) {
		if (part === "") continue;
		if (/\\[a-z]+$/i.test(previous.slice(-commandLengthMax)) && /^[a-z]/i.test(part)) pieces.push(" ");
		pieces.push(part);
		previous = part;
	}
	return pieces.join("");
}

function inBraces(formula: Formula): string {
	return `{${write(formula).trim()}}`;
}

const variantCommands: Readonly<Record<Exclude<MathVariant, "default">, string>> = {
	upright: "mathrm",
	bold: "mathbf",
	"double-struck": "mathbb",
	script: "mathcal",
	fraktur: "mathfrak",
	"sans-serif": "mathsf",
	monospace: "mathtt",
};

function symbolsLatex(text: string, variant: MathVariant): string {
	if (variant === "upright" && isFunctionName(text)) return `\\${text}`;
	if (/(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Common}])\p{L}/u.test(text)) return textLatex(text);
	const words = text.split(/(?<=[\p{L}\p{N}])\s+(?=[\p{L}\p{N}])/u);
	const line = words.map((word) => joinParts([...word].map(latexSymbol))).join("\\ ");
	const isStyled = variant !== "default" && (variant === "upright" ? /\p{L}/u : /[\p{L}\p{N}]/u).test(text);
	return isStyled ? `\\${variantCommands[variant]}{${line.trim()}}` : line;
}

function textLatex(text: string): string {
	return text === "" ? "" : `\\text{${text.replace(/[\\{}$%#&_^~]/g, escapeCharacter)}}`;
}

function nameLatex(text: string): string {
	const name = text.trim();
	if (isFunctionName(name)) return `\\${name}`;
	return /^[a-z][a-z -]*$/i.test(name) ? `\\operatorname{${name.replaceAll(" ", "\\,")}}` : symbolsLatex(name, "default");
}

function escapeCharacter(character: string): string {
	const escapes: Readonly<Record<string, string>> = { "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" };
	return escapes[character] ?? `\\${character}`;
}

type FormulaOf<Kind extends Formula["kind"]> = Extract<Formula, { readonly kind: Kind }>;

function scriptsLatex({ base, sub, sup, isPrescript }: FormulaOf<"scripts">): string {
	const scripts = `${script("_", sub)}${script("^", sup)}`;
	return isPrescript ? joinParts([`{}${scripts}`, write(base)]) : `${scriptBase(base)}${scripts}`;
}

function script(operator: "_" | "^", formula: Formula | null): string {
	if (formula === null || isEmpty(formula)) return "";
	const isPrimes = formula.kind === "symbols" && operator === "^" && /^[′″‴']+$/.test(formula.text);
	return isPrimes ? write(formula) : `${operator}${inBraces(formula)}`;
}

/** The base of scripts. It is put in braces if it has scripts itself, since LaTeX refuses a second script on the same base. */
function scriptBase(base: Formula): string {
	const latex = write(base).trim();
	if (latex === "") return "{}";
	const last = base.kind === "row" ? base.parts.at(-1) : base;
	return last?.kind === "scripts" || last?.kind === "stack" || /[_^]\{[^{}]*\}$/.test(latex) ? `{${latex}}` : latex;
}

/** Function names, big operators and braces take limits and labels as scripts; anything else needs `\underset` or `\overset`. */
function stackLatex({ base, under, over }: FormulaOf<"stack">): string {
	if (takesLimits(base)) return `${write(base).trim()}${script("_", under)}${script("^", over)}`;
	const withOver = isEmpty(over) || over === null ? write(base).trim() : `\\overset${inBraces(over)}{${write(base).trim()}}`;
	return isEmpty(under) || under === null ? withOver : `\\underset${inBraces(under)}{${withOver}}`;
}

function takesLimits(base: Formula): boolean {
	if (base.kind === "name") return true;
	if (base.kind === "accent") return /brace|bracket|paren/.test(accentCommand(base.mark, base.isBelow, true) ?? "");
	return base.kind === "symbols" && (/^[∑∏∐∫-∰⋀-⋃⨀-⨆]$/.test(base.text.trim()) || (base.variant === "upright" && isFunctionName(base.text)));
}

function accentLatex({ mark, isBelow, content }: FormulaOf<"accent">): string {
	const isWide = !(content.kind === "symbols" && [...content.text].length === 1);
	const command = accentCommand(mark, isBelow, isWide);
	if (command !== null) return `\\${command}${inBraces(content)}`;
	return `\\${isBelow ? "underset" : "overset"}{${symbolsLatex(mark, "default")}}${inBraces(content)}`;
}

const fencedGrids: Readonly<Record<string, string>> = { "()": "pmatrix", "[]": "bmatrix", "{}": "Bmatrix", "||": "vmatrix", "‖‖": "Vmatrix" };

function fenceLatex({ open, close, separator, parts }: FormulaOf<"fence">): string {
	const content = parts.length === 1 ? parts[0] : undefined;
	if (content?.kind === "grid") {
		const name = content.isSystem ? undefined : fencedGrids[`${open}${close}`];
		if (name !== undefined) return gridLatex(content.rows, name);
		if (open === "{" && close === "") return gridLatex(content.rows, "cases");
	}
	if (content?.kind === "fraction" && !content.hasLine && open === "(" && close === ")")
		return `\\binom${inBraces(content.numerator)}${inBraces(content.denominator)}`;
	const middle = /^[|‖/]$/.test(separator) ? `\\middle${delimiter(separator)} ` : symbolsLatex(separator, "default");
	return `${joinParts([`\\left${delimiter(open)}`, parts.map(write).join(middle).trim()])}\\right${delimiter(close)}`;
}

function delimiter(symbol: string): string {
	return symbol === "" ? "." : latexSymbol(symbol);
}

function gridLatex(rows: readonly (readonly Formula[])[], environment: string): string {
	const lines = rows.map((cells) => cells.map((cell) => write(cell).trim()).join(" & "));
	return `\\begin{${environment}}${lines.join(" \\\\ ")}\\end{${environment}}`;
}
