/** Letters of formulas that Unicode has in several styles (𝑥, 𝐱, ℝ) → the plain letter and its style. */

import { type Formula, type Look, rowOf } from "../blocks/formula.ts";

/** The letters of U+1D400, 52 a style; their slants are what LaTeX does by itself. */
const latinStyles: readonly Look[] = [
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
const greekStyles: readonly Look[] = ["bold", "plain", "bold", "bold", "bold"];
const digitStyles: readonly Look[] = ["bold", "double-struck", "sans-serif", "sans-serif", "monospace"];

/** Those that Unicode had before, outside of that block. */
const older: Readonly<Record<string, Look>> = Object.fromEntries([
	...[..."ℂℍℕℙℚℝℤ"].map((letter) => [letter, "double-struck"] as const),
	...[..."ℬℰℱℋℐℒℳℛ"].map((letter) => [letter, "script"] as const),
	...[..."ℭℌℑℜℨ"].map((letter) => [letter, "fraktur"] as const),
]);

/** @param look of the letters that say none themselves. */
export function styledLetters(text: string, look: Look): Formula {
	if (!/[ℂ-ℭ℮-ℳ\u{1d400}-\u{1d7ff}]/u.test(text)) return { kind: "letters", text, look };
	const runs: { text: string; look: Look }[] = [];
	for (const sign of text) {
		const own = older[sign] ?? blockStyle(sign.codePointAt(0) ?? 0);
		const last = runs.at(-1);
		const run = { text: own === null ? sign : sign.normalize("NFKC"), look: own === null || own === "plain" ? look : own };
		if (last !== undefined && last.look === run.look) last.text += run.text;
		else runs.push(run);
	}
	return rowOf(runs.map((run) => ({ kind: "letters", ...run })));
}

function blockStyle(code: number): Look | null {
	if (code < 0x1d400 || code > 0x1d7ff) return code === 0x210e ? "plain" : null;
	if (code < 0x1d6a4) return latinStyles[Math.floor((code - 0x1d400) / 52)] ?? "plain";
	if (code >= 0x1d7ce) return digitStyles[Math.floor((code - 0x1d7ce) / 10)] ?? "plain";
	return greekStyles[Math.floor((code - 0x1d6a8) / 58)] ?? "plain";
}
