/** Removes repeated lines of roll-up captions: live captions keep a line on the screen while the next appears, and converters write every state as a cue. */

import type { Cue } from "../cue.ts";

/** Cues this close together follow each other without a gap. */
const seamSeconds = 0.1;
/** From this share of repeating cues on they are roll-up captions; below it the repetitions are real, such as a refrain. */
const rollingShareMin = 0.2;
const rollingCuesMin = 3;

/** @param cues in the order of their times. */
export function withoutRepeats(cues: readonly Cue[]): readonly Cue[] {
	const isRolling = rollingShare(cues) >= rollingShareMin;
	const kept: Cue[] = [];
	let shown: Cue | null = null;
	for (const cue of cues) {
		const last = kept.at(-1);
		const repeats: Cue | null = shown !== null && touches(shown, cue) && (cue.text === shown.text || (isRolling && shownLines(shown, cue) > 0)) ? shown : null;
		shown = cue;
		if (repeats === null || last === undefined) {
			kept.push(cue);
			continue;
		}
		const news = cue.text === repeats.text ? "" : newWords(repeats, cue);
		if (news === "") kept[kept.length - 1] = { ...last, end: latest(last.end, cue.end) };
		else kept.push({ ...cue, text: news });
	}
	return kept;
}

function rollingShare(cues: readonly Cue[]): number {
	let rolling = 0;
	for (const [index, cue] of cues.entries()) {
		const before = cues[index - 1];
		if (before !== undefined && before.text !== cue.text && touches(before, cue) && shownLines(before, cue) > 0) rolling++;
	}
	return rolling < rollingCuesMin ? 0 : rolling / cues.length;
}

function touches(before: Cue, after: Cue): boolean {
	if (before.begin === null || after.begin === null || before.speaker !== after.speaker) return false;
	return after.begin - (before.end ?? before.begin) <= seamSeconds;
}

/** How many lines at the end of one cue are equal to, or the beginning of, the first lines of the next. Limited for cues with many lines. */
function shownLines(before: Cue, after: Cue): number {
	const old = before.text.split("\n", 9);
	const young = after.text.split("\n", 9);
	for (let count = Math.min(old.length, young.length, 8); count > 0; count--) {
		const isSame = (index: number) => {
			const was = old[old.length - count + index] ?? "";
			const is = young[index] ?? "";
			return was === is || (index === count - 1 && is.startsWith(`${was} `));
		};
		if (Array.from({ length: count }, (_, index) => index).every(isSame)) return count;
	}
	return 0;
}

/** The new lines, and the added words of a line that grew. */
function newWords(before: Cue, after: Cue): string {
	const count = shownLines(before, after);
	const lines = after.text.split("\n");
	const grown = lines[count - 1] ?? "";
	const was = before.text.split("\n", 9).at(-1) ?? "";
	return [grown.slice(was.length).trim(), ...lines.slice(count)].filter((line) => line !== "").join("\n");
}

function latest(one: number | null, other: number | null): number | null {
	return one === null || other === null ? (other ?? one) : Math.max(one, other);
}
