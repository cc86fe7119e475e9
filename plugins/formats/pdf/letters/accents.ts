/** Combines accents that are drawn apart from their letters, as by TeX. */

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

/** A quick test, called for every character. */
export function maybeAccent(code: number): boolean {
	return (
		code === 0x60 || (code >= 0xa8 && code <= 0xb8 && (code === 0xa8 || code === 0xaf || code === 0xb4 || code === 0xb8)) || (code >= 0x2c6 && code <= 0x338)
	);
}

/** Joins an accent with the letter before or after it that it is positioned at. */
export function withAccents(glyphs: readonly Glyph[]): string {
	const read: string[] = [];
	for (let at = 0; at < glyphs.length; at++) {
		const [glyph, next, last] = [glyphs[at], glyphs[at + 1], glyphs[at - 1]];
		if (glyph === undefined) continue;
		const accent = accents[glyph.text] ?? (isCombining(glyph.text) ? glyph.text : null);
		if (accent !== null && isOver(glyph, next)) {
			read.push(`${undotted(next?.text ?? "")}${accent}`);
			at++;
		} else if (accent !== null && isOver(glyph, last)) read.push(accent);
		else read.push(glyph.text);
	}
	return read.join("").normalize("NFC");
}

/** Joins spans where the accent ends one and its letter begins the next: in formulas TeX uses two fonts. */
export function joinedSpans(
	spans: readonly { readonly text: string; readonly box: readonly [number, number, number, number]; readonly size: number }[],
): string {
	let plain = "";
	for (const { text } of spans) plain += text;
	if (!spacingAccent.test(plain)) return plain;
	let [read, waiting] = ["", ""];
	for (const [at, { text, box, size }] of spans.entries()) {
		const own = waiting === "" ? text : withFirstAccented(text, waiting);
		const next = spans[at + 1];
		const covered = next === undefined ? 0 : box[2] - next.box[0];
		const accent = accents[text.at(-1) ?? ""];
		const isOverNext = accent !== undefined && /^\p{L}/u.test(next?.text ?? "") && covered > size * coveredMin && covered < size;
		waiting = isOverNext ? accent : "";
		read += isOverNext ? own.slice(0, -1) : own;
	}
	return read;
}

const spacingAccent = /[`´ˆ˜¯˘˙¨˚˝ˇ¸˛]/;

/** An accent covers its letter by so much of a letter height; what merely touches it stands beside it. */
const coveredMin = 0.2;

function withFirstAccented(text: string, accent: string): string {
	const [letter = ""] = text;
	return `${undotted(letter)}${accent}`.normalize("NFC") + text.slice(letter.length);
}

function isCombining(sign: string): boolean {
	return sign >= "\u0300" && sign <= "\u0338";
}

function isOver(accent: Glyph, letter: Glyph | undefined): boolean {
	const middle = (accent.left + accent.right) / 2;
	return letter !== undefined && /^[\p{L}=<>∈≡∼]/u.test(letter.text) && middle > letter.left && middle < letter.right;
}

function undotted(letter: string): string {
	if (letter === "ı") return "i";
	return letter === "ȷ" ? "j" : letter;
}
