/** Renders a formula as one line of text, for search: `(a+b)/2`, `x^2`, `√(x)`. */

import { type Formula, isEmpty } from "../blocks/formula.ts";

export function formulaLine(formula: Formula): string {
	return write(formula).replace(/\s+/g, " ").trim();
}

function write(formula: Formula): string {
	switch (formula.kind) {
		case "row":
			return formula.parts.map(write).join("");
		case "symbols":
		case "prose":
			return formula.text;
		case "name":
			return ` ${formula.text} `;
		case "align":
			return "";
		case "fraction":
			return `${inParentheses(formula.numerator)}/${inParentheses(formula.denominator)}`;
		case "root":
			return isEmpty(formula.degree) ? `√${inParentheses(formula.content)}` : `root(${lineOf(formula.degree)}, ${lineOf(formula.content)})`;
		case "scripts":
			return formula.isPrescript
				? `${scripts("_", formula.sub)}${scripts("^", formula.sup)}${write(formula.base)}`
				: withScripts(formula.base, formula.sub, formula.sup);
		case "stack":
			return withScripts(formula.base, formula.under, formula.over);
		case "accent":
			return withAccent(formula.mark, write(formula.content));
		case "fence":
			return `${formula.open}${formula.parts.map(lineOf).join(formula.separator)}${formula.close}`;
		case "grid":
			return gridOf(formula.rows, formula.isSystem);
		case "call":
			return ` ${lineOf(formula.name)} ${lineOf(formula.argument)}`;
		case "box":
			return write(formula.content);
	}
}

function lineOf(formula: Formula | null): string {
	return formula === null ? "" : formulaLine(formula);
}

/** Adds parentheses if the parts would otherwise run together. */
function inParentheses(formula: Formula): string {
	const text = formulaLine(formula);
	return /^(?:[\p{L}\p{N}]*|.)$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

function withScripts(base: Formula, below: Formula | null, above: Formula | null): string {
	return `${write(base).trimEnd()}${scripts("_", below)}${scripts("^", above)}${takesSpaceAfter(base) ? " " : ""}`;
}

function scripts(operator: "_" | "^", formula: Formula | null): string {
	return formula === null || isEmpty(formula) ? "" : `${operator}${inParentheses(formula)}`;
}

function takesSpaceAfter(base: Formula): boolean {
	return base.kind === "name" || (base.kind === "symbols" && /^[∑∏∐∫-∰⋀-⋃⨀-⨆]$/.test(base.text));
}

/** Puts a combining mark on a single character. Marks over longer content are left out. */
function withAccent(mark: string, content: string): string {
	return /^\p{M}$/u.test(mark) && /^\s*\S\s*$/u.test(content) ? `${content.trim()}${mark}`.normalize("NFC") : content;
}

function gridOf(rows: readonly (readonly Formula[])[], isSystem: boolean): string {
	if (isSystem) return rows.map((cells) => cells.map(write).join("")).join("; ");
	return `[${rows.map((cells) => cells.map(lineOf).join(", ")).join("; ")}]`;
}
