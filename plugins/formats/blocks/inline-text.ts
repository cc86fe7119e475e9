/** Pieces of a line with their formatting → the line as plain text and as Markdown with links and emphasis. */

import { formulaMarkdown, type RenderedFormula } from "./formula.ts";
import { type Script, scriptedText } from "./scripted-text.ts";

export interface Piece {
	readonly text: string;
	/** The formula that `text` renders on one line. */
	readonly formula?: RenderedFormula;
	readonly isBold?: boolean;
	readonly isItalic?: boolean;
	readonly url?: string | null;
	readonly script?: Script | null;
}

export interface InlineText {
	readonly text: string;
	readonly markdown: string;
}

export function formulaPiece(formula: RenderedFormula): Piece {
	return { text: formula.text, formula };
}

/** Joins neighbours with the same formatting, which programs often store separately. A formula alone on its line is a display formula. */
export function joinPieces(pieces: readonly Piece[]): InlineText {
	const merged: Piece[] = [];
	for (const piece of separateFormulas(pieces)) {
		const text = piece.text.replaceAll("\u00ad", ""); // a soft hyphen
		const last = merged.at(-1);
		if (text === "") continue;
		if (last !== undefined && hasSameFormatting(last, piece)) merged[merged.length - 1] = { ...last, text: last.text + text };
		else merged.push({ ...piece, text });
	}
	const converted = merged.map(convertScript);
	const nonBlank = converted.filter(({ text }) => text.trim() !== "");
	const onlyFormula = nonBlank.length === 1 ? nonBlank[0]?.formula : undefined;
	const markdown = onlyFormula === undefined ? toMarkdown(converted) : formulaMarkdown({ ...onlyFormula, isDisplay: true });
	return { text: cleanWhitespace(converted.map(({ text }) => text).join("")), markdown: cleanWhitespace(markdown) };
}

function convertScript(piece: Piece): Piece {
	return piece.script === undefined || piece.script === null ? piece : { ...piece, text: scriptedText(piece.text, piece.script) };
}

/** Puts a space between a formula and a word that touches it. */
function* separateFormulas(pieces: readonly Piece[]): Generator<Piece> {
	let last: Piece | null = null;
	for (const piece of pieces) {
		const isBesideFormula = last !== null && (last.formula !== undefined || piece.formula !== undefined);
		if (isBesideFormula && /[\p{L}\p{N}$]$/u.test(endOf(last)) && /^[\p{L}\p{N}$]/u.test(startOf(piece))) yield { text: " " };
		yield piece;
		if (piece.text !== "") last = piece;
	}
}

function endOf(piece: Piece | null): string {
	return piece?.formula === undefined ? (piece?.text.slice(-2) ?? "") : "$";
}

function startOf(piece: Piece): string {
	return piece.formula === undefined ? piece.text.slice(0, 2) : "$";
}

function hasSameFormatting(one: Piece, other: Piece): boolean {
	return (
		one.formula === undefined &&
		other.formula === undefined &&
		(one.script ?? null) === (other.script ?? null) &&
		marks.every((mark) => mark.valueOf(one) === mark.valueOf(other))
	);
}

interface Mark {
	/** The value of this format for a piece, such as the URL of a link; neighbours with the same value share the mark. Empty for none. */
	readonly valueOf: (piece: Piece) => string;
	readonly remove: (piece: Piece) => Piece;
	readonly wrap: (words: string, piece: Piece) => string;
}

/** If several marks cover the same pieces, the first one is the outermost. */
const marks: readonly Mark[] = [
	{
		valueOf: ({ url = null }) => url ?? "",
		remove: (piece) => ({ ...piece, url: null }),
		wrap: (words, { url }) => `[${words}](${escapeUrl(url ?? "")})`,
	},
	{ valueOf: ({ isBold = false }) => (isBold ? "**" : ""), remove: (piece) => ({ ...piece, isBold: false }), wrap: (words) => `**${words}**` },
	{ valueOf: ({ isItalic = false }) => (isItalic ? "*" : ""), remove: (piece) => ({ ...piece, isItalic: false }), wrap: (words) => `*${words}*` },
];

/** The mark that covers the most pieces is put around them once: `***a*: b**` and not `***a*****: b**`. */
function toMarkdown(pieces: readonly Piece[]): string {
	let line = "";
	for (let index = 0; index < pieces.length; ) {
		const piece = pieces[index] as Piece;
		const candidates = marks.filter((mark) => mark.valueOf(piece) !== "").map((mark) => ({ mark, end: endOfMark(pieces, index, mark) }));
		const [furthest] = candidates.sort((one, other) => other.end - one.end);
		if (furthest === undefined) {
			line += piece.formula === undefined ? piece.text : formulaMarkdown(piece.formula);
			index++;
			continue;
		}
		const { mark, end } = furthest;
		line += wrapLines(toMarkdown(pieces.slice(index, end).map(mark.remove)), (words) => mark.wrap(words, piece));
		index = end;
	}
	return line;
}

function endOfMark(pieces: readonly Piece[], from: number, mark: Mark): number {
	const value = mark.valueOf(pieces[from] as Piece);
	let end = from + 1;
	while (end < pieces.length && mark.valueOf(pieces[end] as Piece) === value) end++;
	return end;
}

/** Puts the marks right around the words of each line; Markdown's marks do not span lines. */
function wrapLines(text: string, wrap: (words: string) => string): string {
	if (text.includes("\n"))
		return text
			.split("\n")
			.map((line) => wrapLines(line, wrap))
			.join("\n");
	const words = text.trim();
	if (words === "") return text;
	const start = text.indexOf(words);
	return `${text.slice(0, start)}${wrap(words)}${text.slice(start + words.length)}`;
}

/** Escapes brackets and white space, which would end the link too early. */
function escapeUrl(url: string): string {
	return url
		.trim()
		.replace(/[\s<>]/g, encodeURIComponent)
		.replaceAll("(", "%28")
		.replaceAll(")", "%29");
}

/** Whether the URL leads out of the document. Mail and telephone links count. */
export function isExternalUrl(url: string): boolean {
	return /^(?:https?|mailto|ftp|tel):/i.test(url.trim());
}

function cleanWhitespace(text: string): string {
	return text
		.replace(/[^\S\n]+/g, " ")
		.replace(/ ?\n ?/g, "\n")
		.replace(/\n{2,}/g, "\n")
		.trim()
		.toWellFormed();
}
