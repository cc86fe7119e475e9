/** Pieces of a line with their formatting → the line as plain text and as Markdown with links and emphasis. */

import { formulaMarkdown, type RenderedFormula } from "./formula.ts";
import { type Script, scriptedText } from "./scripted-text.ts";

export interface Piece {
	readonly text: string;
	/** The formula that `text` renders on one line. */
	readonly formula?: RenderedFormula;
	readonly isBold?: boolean;
	readonly isItalic?: boolean;
	readonly address?: string | null;
	readonly script?: Script | null;
}

export interface InlineText {
	readonly text: string;
	readonly markdown: string;
}

export function formulaPiece(formula: RenderedFormula): Piece {
	return { text: formula.text, formula };
}

/** Joins neighbours with the same formatting, which programs often store apart. A formula alone in its line is a display formula. */
export function joinPieces(pieces: readonly Piece[]): InlineText {
	const merged: Piece[] = [];
	for (const piece of apart(pieces)) {
		const text = piece.text.replaceAll("\u00ad", ""); // a soft hyphen
		const last = merged.at(-1);
		if (text === "") continue;
		if (last !== undefined && isMarkedAlike(last, piece)) merged[merged.length - 1] = { ...last, text: last.text + text };
		else merged.push({ ...piece, text });
	}
	const said = merged.map(scripted);
	const telling = said.filter(({ text }) => text.trim() !== "");
	const alone = telling.length === 1 ? telling[0]?.formula : undefined;
	const markdown = alone === undefined ? marked(said) : formulaMarkdown({ ...alone, isDisplay: true });
	return { text: tidy(said.map(({ text }) => text).join("")), markdown: tidy(markdown) };
}

function scripted(piece: Piece): Piece {
	return piece.script === undefined || piece.script === null ? piece : { ...piece, text: scriptedText(piece.text, piece.script) };
}

/** A formula does not run together with the word before it or behind it. */
function* apart(pieces: readonly Piece[]): Generator<Piece> {
	let last: Piece | null = null;
	for (const piece of pieces) {
		const touches = last !== null && (last.formula !== undefined || piece.formula !== undefined);
		if (touches && /[\p{L}\p{N}$]$/u.test(endOf(last)) && /^[\p{L}\p{N}$]/u.test(startOf(piece))) yield { text: " " };
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

function isMarkedAlike(one: Piece, other: Piece): boolean {
	return (
		one.formula === undefined &&
		other.formula === undefined &&
		(one.script ?? null) === (other.script ?? null) &&
		marks.every((mark) => mark.of(one) === mark.of(other))
	);
}

interface Mark {
	/** The value of this format for a piece, such as a link's address; equal for neighbours that share it. Empty for none. */
	readonly of: (piece: Piece) => string;
	readonly without: (piece: Piece) => Piece;
	readonly around: (words: string, piece: Piece) => string;
}

/** Where several cover the same pieces, the first is the outermost. */
const marks: readonly Mark[] = [
	{
		of: ({ address = null }) => address ?? "",
		without: (piece) => ({ ...piece, address: null }),
		around: (words, { address }) => `[${words}](${safeAddress(address ?? "")})`,
	},
	{ of: ({ isBold = false }) => (isBold ? "**" : ""), without: (piece) => ({ ...piece, isBold: false }), around: (words) => `**${words}**` },
	{ of: ({ isItalic = false }) => (isItalic ? "*" : ""), without: (piece) => ({ ...piece, isItalic: false }), around: (words) => `*${words}*` },
];

/** The format that covers the most pieces goes around them, once: `***a*: b**` and not `***a*****: b**`. */
function marked(pieces: readonly Piece[]): string {
	let line = "";
	for (let at = 0; at < pieces.length; ) {
		const piece = pieces[at] as Piece;
		const reaching = marks.filter((mark) => mark.of(piece) !== "").map((mark) => ({ mark, end: endOfMark(pieces, at, mark) }));
		const [furthest] = reaching.sort((one, other) => other.end - one.end);
		if (furthest === undefined) {
			line += piece.formula === undefined ? piece.text : formulaMarkdown(piece.formula);
			at++;
			continue;
		}
		const { mark, end } = furthest;
		line += wrapped(marked(pieces.slice(at, end).map(mark.without)), (words) => mark.around(words, piece));
		at = end;
	}
	return line;
}

function endOfMark(pieces: readonly Piece[], from: number, mark: Mark): number {
	const wanted = mark.of(pieces[from] as Piece);
	let end = from + 1;
	while (end < pieces.length && mark.of(pieces[end] as Piece) === wanted) end++;
	return end;
}

/** Puts the marks right around the words of each line; Markdown's marks do not span lines. */
function wrapped(text: string, around: (words: string) => string): string {
	if (text.includes("\n"))
		return text
			.split("\n")
			.map((line) => wrapped(line, around))
			.join("\n");
	const words = text.trim();
	if (words === "") return text;
	const start = text.indexOf(words);
	return `${text.slice(0, start)}${around(words)}${text.slice(start + words.length)}`;
}

/** Escapes brackets and blanks, which would end the link too early. */
function safeAddress(address: string): string {
	return address
		.trim()
		.replace(/[\s<>]/g, encodeURIComponent)
		.replaceAll("(", "%28")
		.replaceAll(")", "%29");
}

/** Whether the address leads out of the document. */
export function isWebAddress(address: string): boolean {
	return /^(?:https?|mailto|ftp|tel):/i.test(address.trim());
}

function tidy(text: string): string {
	return text
		.replace(/[^\S\n]+/g, " ")
		.replace(/ ?\n ?/g, "\n")
		.replace(/\n{2,}/g, "\n")
		.trim()
		.toWellFormed();
}
