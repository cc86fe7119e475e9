/**
 * Removes repeated lines of roll-up captions. Live captions keep a line on the screen while the next one appears, and converters
 * write every state of the screen as a cue.
 */

import type { Cue } from "../cue.ts";

/** The largest gap between cues that follow each other. */
const adjacentSecondsMax = 0.1;
/** With at least this share of repeating cues they are roll-up captions; with fewer the repetitions are real, such as a refrain. */
const rollUpShareMin = 0.2;
const rollUpCuesMin = 3;

/** @param cues in the order of their times. */
export function removeRepeatedLines(cues: readonly Cue[]): readonly Cue[] {
	const isRollUp = rollUpShare(cues) >= rollUpShareMin;
	const result: Cue[] = [];
	let previous: Cue | null = null;
	for (const cue of cues) {
		const last = result.at(-1);
		const repeated: Cue | null =
			previous !== null && isAdjacent(previous, cue) && (cue.text === previous.text || (isRollUp && countRepeatedLines(previous, cue) > 0)) ? previous : null;
		previous = cue;
		if (repeated === null || last === undefined) {
			result.push(cue);
			continue;
		}
		const newText = cue.text === repeated.text ? "" : textAdded(repeated, cue);
		if (newText === "") result[result.length - 1] = { ...last, end: latest(last.end, cue.end) };
		else result.push({ ...cue, text: newText });
	}
	return result;
}

function rollUpShare(cues: readonly Cue[]): number {
	let repeatingCues = 0;
	for (const [index, cue] of cues.entries()) {
		const previous = cues[index - 1];
		if (previous !== undefined && previous.text !== cue.text && isAdjacent(previous, cue) && countRepeatedLines(previous, cue) > 0) repeatingCues++;
	}
	return repeatingCues < rollUpCuesMin ? 0 : repeatingCues / cues.length;
}

function isAdjacent(previous: Cue, next: Cue): boolean {
	if (previous.begin === null || next.begin === null || previous.speaker !== next.speaker) return false;
	return next.begin - (previous.end ?? previous.begin) <= adjacentSecondsMax;
}

/** How many lines at the end of one cue are repeated at the beginning of the next; the last of them may have grown. At most 8. */
function countRepeatedLines(previous: Cue, next: Cue): number {
	const previousLines = previous.text.split("\n", 9);
	const nextLines = next.text.split("\n", 9);
	for (let count = Math.min(previousLines.length, nextLines.length, 8); count > 0; count--) {
		const isSame = (index: number) => {
			const previousLine = previousLines[previousLines.length - count + index] ?? "";
			const nextLine = nextLines[index] ?? "";
			return previousLine === nextLine || (index === count - 1 && nextLine.startsWith(`${previousLine} `));
		};
		if (Array.from({ length: count }, (_, index) => index).every(isSame)) return count;
	}
	return 0;
}

/** The text that the next cue adds: its new lines, and what was added to a line that grew. */
function textAdded(previous: Cue, next: Cue): string {
	const count = countRepeatedLines(previous, next);
	const lines = next.text.split("\n");
	const grownLine = lines[count - 1] ?? "";
	const previousLine = previous.text.split("\n", 9).at(-1) ?? "";
	return [grownLine.slice(previousLine.length).trim(), ...lines.slice(count)].filter((line) => line !== "").join("\n");
}

function latest(first: number | null, second: number | null): number | null {
	return first === null || second === null ? (second ?? first) : Math.max(first, second);
}
