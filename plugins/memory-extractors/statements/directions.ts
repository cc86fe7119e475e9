/** What stands in a script or transcript and is not spoken: stage directions in brackets, scenes, and lines that tell what somebody does. */

import { isThirdPerson } from "./verbs.ts";

/** In a transcript, everything in brackets is a direction or a sound. */
const inBrackets = /[[({][^\])}]*(?:[\])}]|$)|<\p{L}[^<>]*>/gu;
/** In any talk, brackets at the beginning of a turn are. */
const atStart = /^\s*(?:(?:\([^()]{1,200}\)|\[[^[\]]{1,200}\](?!\()|<\p{L}[^<>@/]{1,200}>)\s*)+(?=\S)/u;
const scene =
	/^\W*(?:(?:INT|EXT)\b[./ ]|(?:new )?scene\b|act:? (?:[ivx]+|\d+)\b|(?:exterior|interior)(?: of\b|[.,:])|cut to\b|fade (?:in|out|to)\b|curtain\b)/i;
const opening = /[[({][^\])}]*$/;
const closing = /^[^[({]*[\])}]/;
/** A direction has at most this many more lines; a bracket that stays open longer is a mistake. */
const furtherLinesMax = 5;

/** The words with spaces in place of directions, so that offsets stay the same. */
export function withoutDirections(words: string, isTranscript: boolean): string {
	return words.replace(isTranscript ? inBrackets : atStart, (found) => " ".repeat(found.length));
}

/**
 * Whether a line of a talk is only a direction. It must be given all lines in order.
 *
 * @param names the speakers of a transcript, in lower case; null for any other talk, which has scenes at most
 */
export function directionReader(names: ReadonlySet<string> | null): (line: string, isLabelled: boolean) => boolean {
	let linesLeft = 0;
	let isBetweenTurns = false;
	return (line, isLabelled) => {
		isBetweenTurns = !isLabelled && (isBetweenTurns || scene.test(line));
		if (names === null) return isBetweenTurns;
		const isInside = linesLeft > 0 && !isLabelled;
		if (isInside) linesLeft = closing.test(line) ? 0 : linesLeft - 1;
		else linesLeft = opening.test(line) ? furtherLinesMax : 0;
		return !isLabelled && (isInside || isBetweenTurns || isDeed(line, names));
	};
}

/** `Freddy bows and sits down.` */
function isDeed(line: string, names: ReadonlySet<string>): boolean {
	const [first = "", second = ""] = line.trim().toLowerCase().split(/\s+/, 2);
	return names.has(first) && isThirdPerson(second);
}
