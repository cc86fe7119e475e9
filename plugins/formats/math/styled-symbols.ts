/** Converts Unicode's mathematical alphanumeric symbols (𝑥, 𝐱, ℝ) to plain letters with a variant. */

import { type Formula, type MathVariant, rowOf } from "../blocks/formula.ts";

/** The variants of the alphabets from U+1D400 on, 52 letters each. Italic is the default. */
const latinVariants: readonly MathVariant[] = [
	"bold",
	"default",
	"bold",
	"script",
	"script",
	"fraktur",
	"double-struck",
	"fraktur",
	"sans-serif",
	"sans-serif",
	"sans-serif",
	"sans-serif",
	"monospace",
];
const greekVariants: readonly MathVariant[] = ["bold", "default", "bold", "bold", "bold"];
const digitVariants: readonly MathVariant[] = ["bold", "double-struck", "sans-serif", "sans-serif", "monospace"];

/** Styled letters that Unicode has outside of that block. */
const variantOutsideBlock: Readonly<Record<string, MathVariant>> = Object.fromEntries([
	...[..."ℂℍℕℙℚℝℤ"].map((letter) => [letter, "double-struck"] as const),
	...[..."ℬℰℱℋℐℒℳℛ"].map((letter) => [letter, "script"] as const),
	...[..."ℭℌℑℜℨ"].map((letter) => [letter, "fraktur"] as const),
]);

/** @param variant the variant of characters that have none of their own. */
export function styledSymbols(text: string, variant: MathVariant): Formula {
	if (!/[ℂ-ℭ℮-ℳ\u{1d400}-\u{1d7ff}]/u.test(text)) return { kind: "symbols", text, variant: variant };
	const runs: { text: string; variant: MathVariant }[] = [];
	for (const character of text) {
		const ownVariant = variantOutsideBlock[character] ?? variantInBlock(character.codePointAt(0) ?? 0);
		const last = runs.at(-1);
		const run = {
			text: ownVariant === null ? character : character.normalize("NFKC"),
			variant: ownVariant === null || ownVariant === "default" ? variant : ownVariant,
		};
		if (last !== undefined && last.variant === run.variant) last.text += run.text;
		else runs.push(run);
	}
	return rowOf(runs.map((run) => ({ kind: "symbols", ...run })));
}

function variantInBlock(code: number): MathVariant | null {
	if (code < 0x1d400 || code > 0x1d7ff) return code === 0x210e ? "default" : null;
	if (code < 0x1d6a4) return latinVariants[Math.floor((code - 0x1d400) / 52)] ?? "default";
	if (code >= 0x1d7ce) return digitVariants[Math.floor((code - 0x1d7ce) / 10)] ?? "default";
	return greekVariants[Math.floor((code - 0x1d6a8) / 58)] ?? "default";
}
