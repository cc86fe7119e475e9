/** A formula as a tree, common to Office and MathML, before it is rendered as LaTeX and as a line of text. */

export type Formula =
	| { readonly kind: "row"; readonly parts: readonly Formula[] }
	/** Letters, digits and symbols. */
	| { readonly kind: "letters"; readonly text: string; readonly variant: MathVariant }
	/** The name of a function or an operator: `sin`, `lim`. */
	| { readonly kind: "name"; readonly text: string }
	/** Prose inside of a formula. */
	| { readonly kind: "words"; readonly text: string }
	/** An alignment point in a line of an equation system. */
	| { readonly kind: "align" }
	| { readonly kind: "fraction"; readonly numerator: Formula; readonly denominator: Formula; readonly hasLine: boolean }
	| { readonly kind: "root"; readonly inside: Formula; readonly degree: Formula | null }
	| { readonly kind: "scripts"; readonly base: Formula; readonly sub: Formula | null; readonly sup: Formula | null; readonly isPrescript: boolean }
	/** Limits and other parts right below or above the base. */
	| { readonly kind: "stack"; readonly base: Formula; readonly under: Formula | null; readonly over: Formula | null }
	/** A mark drawn over or under its content and as wide: a hat, a bar, a brace. */
	| { readonly kind: "accent"; readonly sign: string; readonly isBelow: boolean; readonly inside: Formula }
	| { readonly kind: "fence"; readonly open: string; readonly close: string; readonly separator: string; readonly parts: readonly Formula[] }
	| { readonly kind: "grid"; readonly rows: readonly (readonly Formula[])[]; readonly isSystem: boolean }
	| { readonly kind: "call"; readonly name: Formula; readonly inside: Formula }
	| { readonly kind: "box"; readonly inside: Formula };

/** As in MathML's `mathvariant`. Plain is LaTeX's default style for a character. */
export type MathVariant = "plain" | "upright" | "bold" | "double-struck" | "script" | "fraktur" | "sans-serif" | "monospace";

/** A formula in its two written forms: LaTeX to show, text to search. */
export interface RenderedFormula {
	readonly latex: string;
	/** On one line, as one would type it: `(a+b)/2`, `x^2`. */
	readonly text: string;
	/** On a line of its own. */
	readonly isDisplay: boolean;
}

/** Joins neighbouring letters of one variant, which programs often store apart. A row of one part is that part. */
export function rowOf(parts: readonly Formula[]): Formula {
	const merged: Formula[] = [];
	for (const part of parts) {
		const last = merged.at(-1);
		if (part.kind === "letters" && last?.kind === "letters" && last.variant === part.variant)
			merged[merged.length - 1] = { ...last, text: last.text + part.text };
		else merged.push(part);
	}
	const [only] = merged;
	return merged.length === 1 && only !== undefined ? only : { kind: "row", parts: merged };
}

export function isEmpty(formula: Formula | null): boolean {
	if (formula === null) return true;
	if (formula.kind === "row") return formula.parts.every(isEmpty);
	return (formula.kind === "letters" || formula.kind === "words" || formula.kind === "name") && formula.text.trim() === "";
}

/** The formula as Markdown; empty for an empty formula. */
export function formulaMarkdown({ latex, text, isDisplay }: RenderedFormula): string {
	if (latex === "") return text;
	return isDisplay ? `$$${latex}$$` : `$${latex}$`;
}
