/** Mathematical alphanumerics of Unicode (𝑥, 𝐱, ℝ) → the plain letter and its variant. */

import { type Formula, type MathVariant, rowOf } from "../blocks/formula.ts";

/** The alphabets from U+1D400 on, 52 letters each; italics are LaTeX's default. */
const latinStyles: readonly MathVariant[] = [
	"bold",
	"plain",
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
const greekStyles: readonly MathVariant[] = ["bold", "plain", "bold", "bold", "bold"];
const digitStyles: readonly MathVariant[] = ["bold", "double-struck", "sans-serif", "sans-serif", "monospace"];

/** Letters that Unicode has outside of that block. */
const older: Readonly<Record<string, MathVariant>> = Object.fromEntries([
	...[..."ℂℍℕℙℚℝℤ"].map((letter) => [letter, "double-struck"] as const),
	...[..."ℬℰℱℋℐℒℳℛ"].map((letter) => [letter, "script"] as const),
	...[..."ℭℌℑℜℨ"].map((letter) => [letter, "fraktur"] as const),
]);

/** @param variant of plain letters. */
export function styledLetters(text: string, variant: MathVariant): Formula {
	if (!/[ℂ-ℭ℮-ℳ\u{1d400}-\u{1d7ff}]/u.test(text)) return { kind: "letters", text, variant: variant };
	const runs: { text: string; variant: MathVariant }[] = [];
	for (const sign of text) {
		const own = older[sign] ?? blockStyle(sign.codePointAt(0) ?? 0);
		const last = runs.at(-1);
		const run = { text: own === null ? sign : sign.normalize("NFKC"), variant: own === null || own === "plain" ? variant : own };
		if (last !== undefined && last.variant === run.variant) last.text += run.text;
		else runs.push(run);
	}
	return rowOf(runs.map((run) => ({ kind: "letters", ...run })));
}

function blockStyle(code: number): MathVariant | null {
	if (code < 0x1d400 || code > 0x1d7ff) return code === 0x210e ? "plain" : null;
	if (code < 0x1d6a4) return latinStyles[Math.floor((code - 0x1d400) / 52)] ?? "plain";
	if (code >= 0x1d7ce) return digitStyles[Math.floor((code - 0x1d7ce) / 10)] ?? "plain";
	return greekStyles[Math.floor((code - 0x1d6a8) / 58)] ?? "plain";
}
