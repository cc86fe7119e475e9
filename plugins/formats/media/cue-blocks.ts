/** Cues and chapters → blocks in the order of time. Each cue keeps its times; the readable text joins sentences across cues. */

import type { Place, ReadableBlock } from "cairn-memory";
import type { Chapter, Cue } from "./cue.ts";
import { withoutRepeats } from "./subtitles/roll-up.ts";

/** A cue without an end is shown until the next one, and no longer than a long line takes to read. */
const openCueSeconds = 7;
/** Seconds of silence after which a finished sentence ends the paragraph. */
const paragraphPauseSeconds = 2;
/** Seconds of silence after which a paragraph always ends. */
const sceneSeconds = 20;
/** A paragraph ends with the sentence that passes this length. */
const paragraphCharacters = 600;

const sentenceEnd = /(?:[.!?…。!?]|[♪♫])["'”’»)\]]*$/u;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

interface Timed {
	readonly begin: number;
	readonly end: number;
	/** False where the begin is estimated, only to keep the order. */
	readonly isKnown: boolean;
	readonly cue: Cue;
}

export function cueBlocks(cues: readonly Cue[], chapters: readonly Chapter[]): readonly ReadableBlock[] {
	const timed = closed(withoutRepeats(ordered(cues)));
	const coming = chapters.filter(({ name }) => name.trim() !== "").toSorted((a, b) => a.begin - b.begin);
	const blocks: ReadableBlock[] = [];
	let headings: readonly string[] = [];
	let next = 0;
	let last: Timed | null = null;
	let paragraph = 0;
	const open = (chapter: Chapter) => {
		blocks.push({ kind: "heading", level: 1, text: chapter.name, headings: [], place: { seconds: [chapter.begin, chapter.begin] } });
		headings = [chapter.name];
		last = null;
	};
	for (const now of timed) {
		for (; next < coming.length && (coming[next]?.begin ?? 0) <= now.begin; next++) open(coming[next] as Chapter);
		const text = oneLine(now.cue.text);
		const joint: string | null = last === null ? null : jointBetween(last, now, paragraph);
		paragraph = joint === null ? text.length : paragraph + text.length;
		const place: Place = now.isKnown ? { seconds: [now.begin, now.end] } : {};
		blocks.push({ kind: "cue", speaker: now.cue.speaker, text, headings, place, ...(joint === null ? {} : { joint }) });
		last = now;
	}
	if (timed.length > 0) for (const chapter of coming.slice(next)) open(chapter);
	return blocks;
}

/** Sorted by begin; a cue without one stays behind the cue before it. */
function ordered(cues: readonly Cue[]): readonly Cue[] {
	let latest = 0;
	const keyed = cues.map((cue) => {
		if (cue.begin !== null) latest = cue.begin;
		return { cue, at: cue.begin ?? latest };
	});
	return keyed.toSorted((a, b) => a.at - b.at).map(({ cue }) => cue);
}

function closed(cues: readonly Cue[]): readonly Timed[] {
	let latest = 0;
	return cues.map((cue, index) => {
		const { begin, end } = cue;
		if (begin === null) return { begin: latest, end: latest, isKnown: false, cue };
		latest = begin;
		const until = cues[index + 1]?.begin ?? begin + openCueSeconds;
		return { begin, end: Math.max(begin, end ?? Math.min(until, begin + openCueSeconds)), isKnown: true, cue };
	});
}

/** The separator between two cues of one paragraph; null where a new paragraph begins. */
function jointBetween(last: Timed, now: Timed, paragraph: number): string | null {
	const pause = now.begin - last.end;
	if (now.cue.isTurn || last.cue.speaker !== now.cue.speaker || pause >= sceneSeconds || !last.isKnown || !now.isKnown) return null;
	const isOver = sentenceEnd.test(last.cue.text) || paragraph > paragraphCharacters * 3;
	if (isOver && (pause >= paragraphPauseSeconds || paragraph >= paragraphCharacters)) return null;
	return blankBetween(last.cue.text, now.cue.text);
}

/** Line breaks within a cue only fit it to the screen. */
function oneLine(text: string): string {
	const lines = text.split("\n");
	return lines.map((line, index) => (index === 0 ? line : blankBetween(lines[index - 1] ?? "", line) + line)).join("");
}

/** Chinese and Japanese have no blanks between words. */
function blankBetween(before: string, after: string): string {
	return wide.test(before.slice(-1)) && wide.test(after.slice(0, 1)) ? "" : " ";
}
