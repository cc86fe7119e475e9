/** Lyrics with times (LRC) and YouTube's own subtitles (SBV) → cues. */

import type { Cue, Cues } from "../cue.ts";
import { secondsOf } from "./cue-time.ts";
import { plainWords } from "./plain-words.ts";
import { voicesOf } from "./voices.ts";

const lineTimes = /^(?:\s*\[\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?\]){1,100}/;
const wordTimes = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>/g;

/** `[00:12.50]words`; a line may have the times of all its repetitions. */
export function readLrc(text: string): Cues {
	const cues: Cue[] = [];
	const facts = new Map<string, string>();
	for (const line of text.split("\n")) {
		const fact = /^\s*\[([a-z#]{2,10}):([^\]]{0,500})\]\s*$/i.exec(line);
		if (fact !== null) facts.set((fact[1] ?? "").toLowerCase(), (fact[2] ?? "").trim());
		const times = lineTimes.exec(line)?.[0];
		if (times === undefined) continue;
		const words = plainWords(line.slice(times.length).replace(wordTimes, ""));
		for (const [, time = ""] of times.matchAll(/\[([^\]]+)\]/g)) cues.push({ begin: secondsOf(time), end: null, speaker: null, text: words });
	}
	const shift = Number(facts.get("offset") ?? 0) / 1000;
	const shifted = cues.map((cue) => ({ ...cue, begin: Math.max(0, (cue.begin ?? 0) - (Number.isFinite(shift) ? shift : 0)) }));
	return { cues: ended(shifted), warnings: [], title: facts.get("ti") ?? null };
}

/** Whether a text of lyrics has times. */
export function isLrc(text: string): boolean {
	const lines = text.split("\n", 200).filter((line) => line.trim() !== "");
	return lines.filter((line) => lineTimes.test(line)).length > lines.length / 2;
}

/** A time without text ends the cue before it. */
function ended(cues: readonly Cue[]): readonly Cue[] {
	const sorted = cues.toSorted((a, b) => (a.begin ?? 0) - (b.begin ?? 0));
	return sorted.flatMap((cue, index) => {
		const next = sorted[index + 1];
		return cue.text === "" ? [] : [next?.text === "" ? { ...cue, end: next.begin } : cue];
	});
}

/** `0:00:01.000,0:00:02.500`, then the text up to a blank line. */
export function readSbv(text: string): Cues {
	const cues: Cue[] = [];
	for (const block of text.split(/\n[ \t]*\n/)) {
		const [first = "", ...lines] = block.trim().split("\n");
		const [begin, end] = first.split(",", 3).map(secondsOf);
		if (begin === undefined || begin === null) cues.push(...voicesOf({ begin: null, end: null }, [first, ...lines].join("\n")));
		else cues.push(...voicesOf({ begin, end: Math.max(begin, end ?? begin) }, lines.join("\n")));
	}
	return { cues, warnings: [] };
}
