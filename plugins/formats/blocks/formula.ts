/** A formula as a tree, common to Office and MathML, before it is rendered as LaTeX and as a line of text. */

export type Formula =
	| { readonly kind: "row"; readonly parts: readonly Formula[] }
	/** Letters, digits, operators and other symbols, all in one variant. */
	| { readonly kind: "symbols"; readonly text: string; readonly variant: MathVariant }
	/** The name of a function or an operator: `sin`, `lim`. */
	| { readonly kind: "name"; readonly text: string }
	/** Prose inside a formula. */
	| { readonly kind: "prose"; readonly text: string }
	/** An alignment point in a line of an equation system. */
	| { readonly kind: "align" }
	| { readonly kind: "fraction"; readonly numerator: Formula; readonly denominator: Formula; readonly hasLine: boolean }
	| { readonly kind: "root"; readonly content: Formula; readonly degree: Formula | null }
	| { readonly kind: "scripts"; readonly base: Formula; readonly sub: Formula | null; readonly sup: Formula | null; readonly isPrescript: boolean }
	/** Limits and other parts right below or above the base. */
	| { readonly kind: "stack"; readonly base: Formula; readonly under: Formula | null; readonly over: Formula | null }
	/** A mark drawn over or under its content and as wide: a hat, a bar, a brace. */
	| { readonly kind: "accent"; readonly mark: string; readonly isBelow: boolean; readonly content: Formula }
	| { readonly kind: "fence"; readonly open: string; readonly close: string; readonly separator: string; readonly parts: readonly Formula[] }
	| { readonly kind: "grid"; readonly rows: readonly (readonly Formula[])[]; readonly isSystem: boolean }
	| { readonly kind: "call"; readonly name: Formula; readonly argument: Formula }
	| { readonly kind: "box"; readonly content: Formula };

/** As in MathML's `mathvariant`. `default` is LaTeX's default style: italic letters, upright digits. */
export type MathVariant = "default" | "upright" | "bold" | "double-struck" | "script" | "fraktur" | "sans-serif" | "monospace";

/** A formula in two forms: LaTeX for display, plain text for search. */
export interface RenderedFormula {
	readonly latex: string;
	/** On one line, as one would type it: `(a+b)/2`, `x^2`. */
	readonly text: string;
	/** Whether it is a display formula, which stands on a line of its own. */
	readonly isDisplay: boolean;
}

/** Joins neighbouring symbols of one variant, which programs often store separately. A row with a single part becomes that part. */
export function rowOf(parts: readonly Formula[]): Formula {
	const merged: Formula[] = [];
	for (const part of parts) {
		const last = merged.at(-1);
		if (part.kind === "symbols" && last?.kind === "symbols" && last.variant === part.variant)
			merged[merged.length - 1] = { ...last, text: last.text + part.text };
		else merged.push(part);
	}
	const [single] = merged;
	return merged.length === 1 && single !== undefined ? single : { kind: "row", parts: merged };
}

export function isEmpty(formula: Formula | null): boolean {
	if (formula === null) return true;
	if (formula.kind === "row") return formula.parts.every(isEmpty);
	return (formula.kind === "symbols" || formula.kind === "prose" || formula.kind === "name") && formula.text.trim() === "";
}

/** The formula as Markdown; empty for an empty formula. */
export function formulaMarkdown({ latex, text, isDisplay }: RenderedFormula): string {
	if (latex === "") return text;
	return isDisplay ? `$$${latex}$$` : `$${latex}$`;
}
