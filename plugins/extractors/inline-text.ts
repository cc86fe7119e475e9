/** Pieces of a line, each with its marks → the words once plain and once with links and emphasis. */

import { formulaMarkdown, type WrittenFormula } from "./formula.ts";

export interface Piece {
	readonly text: string;
	/** What the text says in one line, as it is drawn. */
	readonly formula?: WrittenFormula;
	readonly isBold?: boolean;
	readonly isItalic?: boolean;
	readonly address?: string | null;
}

export interface InlineText {
	readonly text: string;
	readonly markdown: string;
}

export function formulaPiece(formula: WrittenFormula): Piece {
	return { text: formula.text, formula };
}

/** Neighbours with the same marks become one: programs cut a word into pieces for reasons of their own. A formula alone is shown large. */
export function joinPieces(pieces: readonly Piece[]): InlineText {
	const merged: Piece[] = [];
	for (const piece of apart(pieces)) {
		const text = piece.text.replaceAll("\u00ad", ""); // a place where a word may be cut, no sign of it
		const last = merged.at(-1);
		if (text === "") continue;
		if (last !== undefined && isMarkedAlike(last, piece)) merged[merged.length - 1] = { ...last, text: last.text + text };
		else merged.push({ ...piece, text });
	}
	const said = merged.filter(({ text }) => text.trim() !== "");
	const alone = said.length === 1 ? said[0]?.formula : undefined;
	const markdown = alone === undefined ? merged.map(marked).join("") : formulaMarkdown({ ...alone, isDisplay: true });
	return { text: tidy(merged.map(({ text }) => text).join("")), markdown: tidy(markdown) };
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
		(one.isBold ?? false) === (other.isBold ?? false) &&
		(one.isItalic ?? false) === (other.isItalic ?? false) &&
		(one.address ?? null) === (other.address ?? null)
	);
}

/** Marks stand tight around the words and never across lines. */
function marked({ text, formula, isBold = false, isItalic = false, address = null }: Piece): string {
	if (formula !== undefined) return formulaMarkdown(formula);
	const words = text.trim();
	const sign = `${isBold ? "**" : ""}${isItalic ? "*" : ""}`;
	if (words === "" || words.includes("\n") || (sign === "" && address === null)) return text;
	const start = text.indexOf(words);
	const emphasized = `${sign}${words}${[...sign].reverse().join("")}`;
	const linked = address === null ? emphasized : `[${emphasized}](${safeAddress(address)})`;
	return `${text.slice(0, start)}${linked}${text.slice(start + words.length)}`;
}

/** Brackets and blanks would end the link too early. */
function safeAddress(address: string): string {
	return address
		.trim()
		.replace(/[\s<>]/g, encodeURIComponent)
		.replaceAll("(", "%28")
		.replaceAll(")", "%29");
}

/** Whether a reader can follow it out of the document. */
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
