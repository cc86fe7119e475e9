/** Pieces of a line, each with its marks → the words once plain and once with links and emphasis. */

export interface Piece {
	readonly text: string;
	readonly isBold?: boolean;
	readonly isItalic?: boolean;
	readonly address?: string | null;
}

export interface InlineText {
	readonly text: string;
	readonly markdown: string;
}

/** Neighbours with the same marks become one: programs cut a word into pieces for reasons of their own. */
export function joinPieces(pieces: readonly Piece[]): InlineText {
	const merged: Piece[] = [];
	for (const piece of pieces) {
		const text = piece.text.replaceAll("\u00ad", ""); // a place where a word may be cut, no sign of it
		const last = merged.at(-1);
		if (text === "") continue;
		if (last !== undefined && isMarkedAlike(last, piece)) merged[merged.length - 1] = { ...last, text: last.text + text };
		else merged.push({ ...piece, text });
	}
	return { text: tidy(merged.map(({ text }) => text).join("")), markdown: tidy(merged.map(marked).join("")) };
}

function isMarkedAlike(one: Piece, other: Piece): boolean {
	return (
		(one.isBold ?? false) === (other.isBold ?? false) &&
		(one.isItalic ?? false) === (other.isItalic ?? false) &&
		(one.address ?? null) === (other.address ?? null)
	);
}

/** Marks stand tight around the words and never across lines. */
function marked({ text, isBold = false, isItalic = false, address = null }: Piece): string {
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
