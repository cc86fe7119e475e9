/** Renders a formula as one line of text, for search: `(a+b)/2`, `x^2`, `√(x)`. */

import { type Formula, isEmpty } from "../blocks/formula.ts";

export function linearOf(formula: Formula): string {
	return write(formula).replace(/\s+/g, " ").trim();
}

function write(formula: Formula): string {
	switch (formula.kind) {
		case "row":
			return formula.parts.map(write).join("");
		case "letters":
		case "words":
			return formula.text;
		case "name":
			return ` ${formula.text} `;
		case "align":
			return "";
		case "fraction":
			return `${grouped(formula.numerator)}/${grouped(formula.denominator)}`;
		case "root":
			return isEmpty(formula.degree) ? `√${grouped(formula.inside)}` : `root(${lineOf(formula.degree)}, ${lineOf(formula.inside)})`;
		case "scripts":
			return formula.isPrescript
				? `${scripts("_", formula.sub)}${scripts("^", formula.sup)}${write(formula.base)}`
				: hung(formula.base, formula.sub, formula.sup);
		case "stack":
			return hung(formula.base, formula.under, formula.over);
		case "accent":
			return accented(formula.sign, write(formula.inside));
		case "fence":
			return `${formula.open}${formula.parts.map(lineOf).join(formula.separator)}${formula.close}`;
		case "grid":
			return gridOf(formula.rows, formula.isSystem);
		case "call":
			return ` ${lineOf(formula.name)} ${lineOf(formula.inside)}`;
		case "box":
			return write(formula.inside);
	}
}

function lineOf(formula: Formula | null): string {
	return formula === null ? "" : linearOf(formula);
}

/** Adds parentheses where the parts would run together. */
function grouped(formula: Formula): string {
	const text = linearOf(formula);
	return /^(?:[\p{L}\p{N}]*|.)$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

function hung(base: Formula, below: Formula | null, above: Formula | null): string {
	return `${write(base).trimEnd()}${scripts("_", below)}${scripts("^", above)}${isBigSign(base) ? " " : ""}`;
}

function scripts(sign: "_" | "^", formula: Formula | null): string {
	return formula === null || isEmpty(formula) ? "" : `${sign}${grouped(formula)}`;
}

function isBigSign(base: Formula): boolean {
	return base.kind === "name" || (base.kind === "letters" && /^[∑∏∐∫-∰⋀-⋃⨀-⨆]$/.test(base.text));
}

/** A combining mark is put on a single letter; wide marks are left out. */
function accented(sign: string, inside: string): string {
	return /^\p{M}$/u.test(sign) && /^\s*\S\s*$/u.test(inside) ? `${inside.trim()}${sign}`.normalize("NFC") : inside;
}

function gridOf(rows: readonly (readonly Formula[])[], isSystem: boolean): string {
	if (isSystem) return rows.map((cells) => cells.map(write).join("")).join("; ");
	return `[${rows.map((cells) => cells.map(lineOf).join(", ")).join("; ")}]`;
}
