/** A formula as a tree: what Office and MathML say alike, before it is written as LaTeX or as a line of text. */

export type Formula =
	| { readonly kind: "row"; readonly parts: readonly Formula[] }
	/** Letters, digits and signs, each standing for itself. */
	| { readonly kind: "letters"; readonly text: string; readonly look: Look }
	/** The name of a function or an operator: `sin`, `lim`. */
	| { readonly kind: "name"; readonly text: string }
	/** Prose inside of a formula. */
	| { readonly kind: "words"; readonly text: string }
	/** Where the lines of a system stand under each other. */
	| { readonly kind: "align" }
	| { readonly kind: "fraction"; readonly above: Formula; readonly below: Formula; readonly hasLine: boolean }
	| { readonly kind: "root"; readonly inside: Formula; readonly degree: Formula | null }
	| { readonly kind: "scripts"; readonly base: Formula; readonly sub: Formula | null; readonly sup: Formula | null; readonly isBefore: boolean }
	/** Limits and whatever else stands right below or above. */
	| { readonly kind: "stack"; readonly base: Formula; readonly under: Formula | null; readonly over: Formula | null }
	/** A mark that is drawn as wide as what it belongs to: a hat, a bar, a brace. */
	| { readonly kind: "accent"; readonly sign: string; readonly isBelow: boolean; readonly inside: Formula }
	| { readonly kind: "fence"; readonly open: string; readonly close: string; readonly separator: string; readonly parts: readonly Formula[] }
	| { readonly kind: "grid"; readonly rows: readonly (readonly Formula[])[]; readonly isSystem: boolean }
	| { readonly kind: "call"; readonly name: Formula; readonly inside: Formula }
	| { readonly kind: "box"; readonly inside: Formula };

/** Plain is what LaTeX makes of a letter by itself. */
export type Look = "plain" | "upright" | "bold" | "double-struck" | "script" | "fraktur" | "sans-serif" | "monospace";

/** A formula as it is shown and as it is found. */
export interface WrittenFormula {
	readonly latex: string;
	/** On one line, as one would type it: `(a+b)/2`, `x^2`. */
	readonly text: string;
	/** On a line of its own. */
	readonly isDisplay: boolean;
}

/** Letters of one look are one part: programs cut a word into pieces for reasons of their own. A row of one is that one. */
export function rowOf(parts: readonly Formula[]): Formula {
	const merged: Formula[] = [];
	for (const part of parts) {
		const last = merged.at(-1);
		if (part.kind === "letters" && last?.kind === "letters" && last.look === part.look) merged[merged.length - 1] = { ...last, text: last.text + part.text };
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

/** As Markdown has it; nothing for a formula that says nothing. */
export function formulaMarkdown({ latex, text, isDisplay }: WrittenFormula): string {
	if (latex === "") return text;
	return isDisplay ? `$$${latex}$$` : `$${latex}$`;
}
