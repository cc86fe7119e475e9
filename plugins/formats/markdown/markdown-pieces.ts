/** Splits long Markdown into pieces, since the parser's memory and time grow faster than the text. */

/** About a chapter. A piece may be longer, up to the next safe place to split. */
const pieceCharacters = 16_000;
/** A longer table header would be most of every piece. */
const headCharactersMax = 4_000;
/** More link definitions than this are not repeated in every piece. */
const definitionCharactersMax = 20_000;

export interface MarkdownPiece {
	readonly text: string;
	/** Whether it begins in the middle of a table: then the table's header is repeated first. */
	readonly isRestOfTable: boolean;
}

/**
 * Splits only where a parser starts a new block: after a blank line, outside of fences, before a line that starts with a letter
 * or a heading mark; in long lists between two outermost items whose markers continue; and in long tables between two rows.
 * Every piece gets the link definitions of the whole text.
 */
export function piecesOf(text: string): readonly MarkdownPiece[] {
	if (text.length <= pieceCharacters) return [{ text, isRestOfTable: false }];
	const pieces: MarkdownPiece[] = [];
	let begin = 0;
	let head: string | null = null;
	const cut = (at: number) => pieces.push({ text: (head ?? "") + text.slice(begin, at), isRestOfTable: head !== null });
	for (const place of safePlaces(text)) {
		if (place.at - begin < pieceCharacters) continue;
		cut(place.at);
		begin = place.at;
		head = place.tableHead;
	}
	cut(text.length);
	const definitions = (text.match(/^ {0,3}\[[^\]\n]{1,200}\]: {0,3}\S.*$/gm) ?? []).join("\n");
	const carried = definitions.length <= definitionCharactersMax ? definitions : "";
	return carried === "" ? pieces : pieces.map((piece) => ({ ...piece, text: `${piece.text}\n\n${carried}` }));
}

interface SafePlace {
	readonly at: number;
	/** The header of the table it is in the middle of. */
	readonly tableHead: string | null;
}

function* safePlaces(text: string): Generator<SafePlace> {
	let fence: string | null = null;
	let above = "";
	let tableHead: string | null = null;
	for (let at = 0; at < text.length; ) {
		const newline = text.indexOf("\n", at);
		const end = newline < 0 ? text.length : newline;
		const start = text.slice(at, Math.min(end, at + 80));
		const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(start)?.[1];
		if (!start.startsWith("|")) tableHead = null;
		if (fence === null && (tableHead !== null || isSafe(start, above))) yield { at, tableHead };
		if (tableHead === null && start.startsWith("|") && above.startsWith("|")) tableHead = headOf(text, at, end);
		if (mark !== undefined && fence === null) fence = mark;
		else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
		above = start;
		at = end + 1;
	}
}

function isSafe(line: string, above: string): boolean {
	if (above.trim() === "") return /^(?:\p{L}|#{1,6}\s)/u.test(line);
	const item = itemMark(line);
	return item !== undefined && followsItem(item, itemMark(above));
}

function itemMark(line: string): string | undefined {
	return /^(?:[-*+]|\d{1,8}[.)])(?= )/.exec(line)?.[0];
}

/** Whether a list that begins here counts on as the one that ends with the line above. */
function followsItem(item: string, above: string | undefined): boolean {
	if (above === undefined || item.at(-1) !== above.at(-1)) return false;
	return item.length === 1 || Number.parseInt(item, 10) === Number.parseInt(above, 10) + 1;
}

/** Both lines of the head when the line from `at` to `end` is the rule below the names of columns, and there are as many of each. */
function headOf(text: string, at: number, end: number): string | null {
	const rule = text.slice(at, end);
	const names = text.slice(text.lastIndexOf("\n", at - 2) + 1, at);
	if (names.length > headCharactersMax || !/^\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/.test(rule)) return null;
	const bars = (line: string) => line.replace(/\\\|/g, "").split("|").length;
	return /\|[ \t]*\n$/.test(names) && bars(names) === bars(rule) ? `${names}${rule}\n` : null;
}
