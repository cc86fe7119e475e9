/** Reads lyrics with times (LRC) and YouTube's own subtitle format (SBV). */

import type { Cue, Cues } from "../cue.ts";
import { secondsOf } from "./cue-time.ts";
import { plainWords } from "./plain-words.ts";
import { voicesOf } from "./voices.ts";

const lineTimes = /^(?:\s*\[\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?\]){1,100}/;
const wordTimes = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>/g;

/** Reads lines such as `[00:12.50]words`. A line may have several times, one for each of its repetitions. */
export function readLrc(text: string): Cues {
	const cues: Cue[] = [];
	const metadata = new Map<string, string>();
	for (const line of text.split("\n")) {
		const metadataLine = /^\s*\[([a-z#]{2,10}):([^\]]{0,500})\]\s*$/i.exec(line);
		if (metadataLine !== null) metadata.set((metadataLine[1] ?? "").toLowerCase(), (metadataLine[2] ?? "").trim());
		const times = lineTimes.exec(line)?.[0];
		if (times === undefined) continue;
		const words = plainWords(line.slice(times.length).replace(wordTimes, ""));
		for (const [, time = ""] of times.matchAll(/\[([^\]]+)\]/g)) cues.push({ begin: secondsOf(time), end: null, speaker: null, text: words });
	}
	const offsetSeconds = Number(metadata.get("offset") ?? 0) / 1000;
	const shifted = cues.map((cue) => ({ ...cue, begin: Math.max(0, (cue.begin ?? 0) - (Number.isFinite(offsetSeconds) ? offsetSeconds : 0)) }));
	return { cues: withEnds(shifted), warnings: [], title: metadata.get("ti") ?? null };
}

/** Whether most lines of lyrics have times. */
export function isLrc(text: string): boolean {
	const lines = text.split("\n", 200).filter((line) => line.trim() !== "");
	return lines.filter((line) => lineTimes.test(line)).length > lines.length / 2;
}

/** Sorts the cues by time. A time without text ends the cue before it. */
function withEnds(cues: readonly Cue[]): readonly Cue[] {
	const sorted = cues.toSorted((a, b) => (a.begin ?? 0) - (b.begin ?? 0));
	return sorted.flatMap((cue, index) => {
		const next = sorted[index + 1];
		return cue.text === "" ? [] : [next?.text === "" ? { ...cue, end: next.begin } : cue];
	});
}

/** Reads blocks of a time line such as `0:00:01.000,0:00:02.500`, then text up to a blank line. */
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
