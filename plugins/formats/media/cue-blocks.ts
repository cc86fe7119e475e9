/** Converts cues and chapters to blocks, ordered by time. Each cue keeps its times; `separator` says how cues are joined to readable paragraphs. */

import type { Place } from "cairn-memory";
import type { ReadableBlock } from "cairn-memory/words";
import type { Chapter, Cue } from "./cue.ts";
import { removeRepeatedLines } from "./subtitles/roll-up.ts";

/** A cue without an end lasts until the next one, but no longer than this: the time that it takes to read a long line. */
const openCueSeconds = 7;
/** Seconds of silence after which a finished sentence ends the paragraph. */
const paragraphPauseSeconds = 2;
/** Seconds of silence after which the paragraph ends even in the middle of a sentence. */
const paragraphPauseSecondsMax = 20;
/** A paragraph ends with the first sentence that passes this number of characters. */
const paragraphCharactersMin = 600;

const sentenceEnd = /(?:[.!?…。!?]|[♪♫])["'”’»)\]]*$/u;
const unspacedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

interface TimedCue {
	readonly begin: number;
	readonly end: number;
	/** False if the times are only estimated from the cue before, to keep the order. */
	readonly hasTime: boolean;
	readonly cue: Cue;
}

export function cueBlocks(cues: readonly Cue[], chapters: readonly Chapter[]): readonly ReadableBlock[] {
	const timedCues = withTimes(removeRepeatedLines(sortByTime(cues)));
	const chapterList = chapters.filter(({ name }) => name.trim() !== "").toSorted((a, b) => a.begin - b.begin);
	const blocks: ReadableBlock[] = [];
	let headings: readonly string[] = [];
	let next = 0;
	let last: TimedCue | null = null;
	let paragraph = 0;
	const addChapter = (chapter: Chapter) => {
		blocks.push({ kind: "heading", level: 1, text: chapter.name, headings: [], place: { seconds: [chapter.begin, chapter.begin] } });
		headings = [chapter.name];
		last = null;
	};
	for (const current of timedCues) {
		for (; next < chapterList.length && (chapterList[next]?.begin ?? 0) <= current.begin; next++) addChapter(chapterList[next] as Chapter);
		const text = joinCueLines(current.cue.text);
		const separator: string | null = last === null ? null : separatorBetween(last, current, paragraph);
		paragraph = separator === null ? text.length : paragraph + text.length;
		const place: Place = current.hasTime ? { seconds: [current.begin, current.end] } : {};
		blocks.push({ kind: "cue", speaker: current.cue.speaker, text, headings, place, ...(separator === null ? {} : { separator }) });
		last = current;
	}
	if (timedCues.length > 0) for (const chapter of chapterList.slice(next)) addChapter(chapter);
	return blocks;
}

/** Sorts cues by their begin. A cue without one stays after the cue before it. */
function sortByTime(cues: readonly Cue[]): readonly Cue[] {
	let latest = 0;
	const withSortTime = cues.map((cue) => {
		if (cue.begin !== null) latest = cue.begin;
		return { cue, at: cue.begin ?? latest };
	});
	return withSortTime.toSorted((a, b) => a.at - b.at).map(({ cue }) => cue);
}

function withTimes(cues: readonly Cue[]): readonly TimedCue[] {
	let latest = 0;
	return cues.map((cue, index) => {
		const { begin, end } = cue;
		if (begin === null) return { begin: latest, end: latest, hasTime: false, cue };
		latest = begin;
		const nextBegin = cues[index + 1]?.begin ?? begin + openCueSeconds;
		return { begin, end: Math.max(begin, end ?? Math.min(nextBegin, begin + openCueSeconds)), hasTime: true, cue };
	});
}

/** The separator between two cues of one paragraph; null if the second cue begins a new paragraph. */
function separatorBetween(last: TimedCue, current: TimedCue, paragraph: number): string | null {
	const pause = current.begin - last.end;
	if (current.cue.isTurn || last.cue.speaker !== current.cue.speaker || pause >= paragraphPauseSecondsMax || !last.hasTime || !current.hasTime) return null;
	const mayEnd = sentenceEnd.test(last.cue.text) || paragraph > paragraphCharactersMin * 3;
	if (mayEnd && (pause >= paragraphPauseSeconds || paragraph >= paragraphCharactersMin)) return null;
	return spaceBetween(last.cue.text, current.cue.text);
}

/** Joins the lines of a cue, since its line breaks are only there to fit it on the screen. */
function joinCueLines(text: string): string {
	const lines = text.split("\n");
	return lines.map((line, index) => (index === 0 ? line : spaceBetween(lines[index - 1] ?? "", line) + line)).join("");
}

/** The separator between two texts: none in Chinese and Japanese, otherwise a space. */
function spaceBetween(previous: string, after: string): string {
	return unspacedScript.test(previous.slice(-1)) && unspacedScript.test(after.slice(0, 1)) ? "" : " ";
}
