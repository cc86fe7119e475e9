/** Combines letters with accents that are drawn as separate characters, as TeX does. */

import type { Glyph } from "./right-to-left.ts";

const accents: Readonly<Record<string, string>> = {
	"`": "\u0300",
	"´": "\u0301",
	ˆ: "\u0302",
	"˜": "\u0303",
	"¯": "\u0304",
	"˘": "\u0306",
	"˙": "\u0307",
	"¨": "\u0308",
	"˚": "\u030a",
	"˝": "\u030b",
	ˇ: "\u030c",
	"¸": "\u0327",
	"˛": "\u0328",
};

/** Whether a character code may be an accent. A fast test, since it is called for every character. */
export function maybeAccent(code: number): boolean {
	return (
		code === 0x60 || (code >= 0xa8 && code <= 0xb8 && (code === 0xa8 || code === 0xaf || code === 0xb4 || code === 0xb8)) || (code >= 0x2c6 && code <= 0x338)
	);
}

/** The text of the glyphs, with each accent combined with the letter (before or after it) that it is drawn over. */
export function combineAccents(glyphs: readonly Glyph[]): string {
	const result: string[] = [];
	for (let index = 0; index < glyphs.length; index++) {
		const [glyph, next, previous] = [glyphs[index], glyphs[index + 1], glyphs[index - 1]];
		if (glyph === undefined) continue;
		const accent = accents[glyph.text] ?? (isCombining(glyph.text) ? glyph.text : null);
		if (accent !== null && isOver(glyph, next)) {
			result.push(`${withoutDot(next?.text ?? "")}${accent}`);
			index++;
		} else if (accent !== null && isOver(glyph, previous)) result.push(accent);
		else result.push(glyph.text);
	}
	return result.join("").normalize("NFC");
}

/** Joins the texts of spans. An accent at the end of one span may belong to the first letter of the next: TeX uses two fonts in formulas. */
export function joinSpans(spans: readonly { readonly text: string; readonly box: readonly [number, number, number, number]; readonly size: number }[]): string {
	const joined = spans.map(({ text }) => text).join("");
	if (!spacingAccent.test(joined)) return joined;
	let [result, pendingAccent] = ["", ""];
	for (const [index, { text, box, size }] of spans.entries()) {
		const spanText = pendingAccent === "" ? text : accentFirstLetter(text, pendingAccent);
		const next = spans[index + 1];
		const overlap = next === undefined ? 0 : box[2] - next.box[0];
		const accent = accents[text.at(-1) ?? ""];
		const isOverNext = accent !== undefined && /^\p{L}/u.test(next?.text ?? "") && overlap > size * overlapMin && overlap < size;
		pendingAccent = isOverNext ? accent : "";
		result += isOverNext ? spanText.slice(0, -1) : spanText;
	}
	return result;
}

const spacingAccent = /[`´ˆ˜¯˘˙¨˚˝ˇ¸˛]/;

/** The least overlap of an accent with its letter, in font sizes. With less, the accent is beside the letter. */
const overlapMin = 0.2;

function accentFirstLetter(text: string, accent: string): string {
	const [letter = ""] = text;
	return `${withoutDot(letter)}${accent}`.normalize("NFC") + text.slice(letter.length);
}

function isCombining(character: string): boolean {
	return character >= "\u0300" && character <= "\u0338";
}

function isOver(accent: Glyph, letter: Glyph | undefined): boolean {
	const middle = (accent.left + accent.right) / 2;
	return letter !== undefined && /^[\p{L}=<>∈≡∼]/u.test(letter.text) && middle > letter.left && middle < letter.right;
}

function withoutDot(letter: string): string {
	if (letter === "ı") return "i";
	return letter === "ȷ" ? "j" : letter;
}
