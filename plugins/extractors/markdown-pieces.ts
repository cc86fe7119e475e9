/** Long Markdown in pieces: the parser's memory and time grow faster than its text. */

/** A chapter. What is parsed together may be as long as needed to reach the next safe place. */
const pieceCharacters = 16_000;
/** Definitions of links beyond this are not carried from piece to piece. */
const definitionCharactersMax = 20_000;

/**
 * Cuts only where every parser would begin anew: before a line that starts with a letter or a heading's mark, after a
 * blank line, outside of fences. Every piece gets the link definitions of the whole.
 */
export function piecesOf(text: string): readonly string[] {
	if (text.length <= pieceCharacters) return [text];
	const pieces: string[] = [];
	let begin = 0;
	for (const at of safePlaces(text)) {
		if (at - begin < pieceCharacters) continue;
		pieces.push(text.slice(begin, at));
		begin = at;
	}
	pieces.push(text.slice(begin));
	const definitions = (text.match(/^ {0,3}\[[^\]\n]{1,200}\]: {0,3}\S.*$/gm) ?? []).join("\n");
	const carried = definitions.length <= definitionCharactersMax ? definitions : "";
	return carried === "" ? pieces : pieces.map((piece) => `${piece}\n\n${carried}`);
}

function* safePlaces(text: string): Generator<number> {
	let fence: string | null = null;
	let afterBlank = false;
	for (let at = 0; at < text.length; ) {
		const newline = text.indexOf("\n", at);
		const end = newline < 0 ? text.length : newline;
		const start = text.slice(at, Math.min(end, at + 80));
		const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/.exec(start)?.[1];
		if (fence === null && afterBlank && /^(?:\p{L}|#{1,6}\s)/u.test(start)) yield at;
		if (mark !== undefined && fence === null) fence = mark;
		else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
		afterBlank = start.trim() === "";
		at = end + 1;
	}
}
