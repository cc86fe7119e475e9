/** Splits long Markdown into pieces, since the parser's memory and time grow faster than the length of the text. */

/** The length of a piece, about a chapter. A piece may be longer, up to the next safe position to split. */
const pieceCharacters = 16_000;
/** A longer table header is not repeated, since it would be most of every piece. */
const headerCharactersMax = 4_000;
/** Link definitions with more characters than this are not repeated in every piece. */
const definitionCharactersMax = 20_000;

export interface MarkdownPiece {
	readonly text: string;
	/** Whether it begins in the middle of a table. The piece then begins with a copy of the table's header. */
	readonly isRestOfTable: boolean;
}

/**
 * Splits only at positions at which a parser starts a new block: outside of code fences, after a blank line and before a line that starts
 * with a letter or a heading mark; in long lists between two top-level items with consecutive markers; in long tables between two rows.
 * Every piece gets the link definitions of the whole text.
 */
export function piecesOf(text: string): readonly MarkdownPiece[] {
	if (text.length <= pieceCharacters) return [{ text, isRestOfTable: false }];
	const pieces: MarkdownPiece[] = [];
	let begin = 0;
	let tableHeader: string | null = null;
	const addPiece = (offset: number) => pieces.push({ text: (tableHeader ?? "") + text.slice(begin, offset), isRestOfTable: tableHeader !== null });
	for (const position of safePositions(text)) {
		if (position.offset - begin < pieceCharacters) continue;
		addPiece(position.offset);
		begin = position.offset;
		tableHeader = position.tableHeader;
	}
	addPiece(text.length);
	const definitions = (text.match(/^ {0,3}\[[^\]\n]{1,200}\]: {0,3}\S.*$/gm) ?? []).join("\n");
	const repeatedDefinitions = definitions.length <= definitionCharactersMax ? definitions : "";
	return repeatedDefinitions === "" ? pieces : pieces.map((piece) => ({ ...piece, text: `${piece.text}\n\n${repeatedDefinitions}` }));
}

interface SafePosition {
	readonly offset: number;
	/** The header of the table that the position is in; null outside of tables. */
	readonly tableHeader: string | null;
}

function* safePositions(text: string): Generator<SafePosition> {
	let fence: string | null = null;
	let above = "";
	let tableHeader: string | null = null;
	for (let offset = 0; offset < text.length; ) {
		const newline = text.indexOf("\n", offset);
		const end = newline < 0 ? text.length : newline;
		const start = text.slice(offset, Math.min(end, offset + 80));
		const fenceMark: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(start)?.[1];
		if (!start.startsWith("|")) tableHeader = null;
		if (fence === null && (tableHeader !== null || isSafePosition(start, above))) yield { offset, tableHeader };
		if (tableHeader === null && start.startsWith("|") && above.startsWith("|")) tableHeader = tableHeaderAt(text, offset, end);
		if (fenceMark !== undefined && fence === null) fence = fenceMark;
		else if (fenceMark !== undefined && fence !== null && fenceMark.startsWith(fence)) fence = null;
		above = start;
		offset = end + 1;
	}
}

function isSafePosition(line: string, above: string): boolean {
	if (above.trim() === "") return /^(?:\p{L}|#{1,6}\s)/u.test(line);
	const item = itemMarker(line);
	return item !== undefined && followsItem(item, itemMarker(above));
}

function itemMarker(line: string): string | undefined {
	return /^(?:[-*+]|\d{1,8}[.)])(?= )/.exec(line)?.[0];
}

/** Whether an item continues the list of the item above: it has the same kind of marker, and the next number. */
function followsItem(item: string, above: string | undefined): boolean {
	if (above === undefined || item.at(-1) !== above.at(-1)) return false;
	return item.length === 1 || Number.parseInt(item, 10) === Number.parseInt(above, 10) + 1;
}

/** The two lines of a table header, if the line at `offset` is the rule below the column names and has as many columns; otherwise null. */
function tableHeaderAt(text: string, offset: number, end: number): string | null {
	const rule = text.slice(offset, end);
	const names = text.slice(text.lastIndexOf("\n", offset - 2) + 1, offset);
	if (names.length > headerCharactersMax || !/^\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/.test(rule)) return null;
	const countBars = (line: string) => line.replace(/\\\|/g, "").split("|").length;
	return /\|[ \t]*\n$/.test(names) && countBars(names) === countBars(rule) ? `${names}${rule}\n` : null;
}
