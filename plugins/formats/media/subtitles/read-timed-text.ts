/** Reads SubRip and WebVTT. One reader is used for both, since files often have the extension or syntax of the other format. */

import type { Warning } from "cairn-memory";
import type { Cues } from "../cue.ts";
import { looksLikeTime, timeLine } from "./cue-time.ts";
import { voicesOf } from "./voices.ts";

/** Blocks of WebVTT that are comments, styles or regions and not cues. */
const commentBlock = /^(?:NOTE|STYLE|REGION)(?=\s|$)/;

interface OpenCue {
	readonly begin: number | null;
	readonly end: number | null;
	readonly lines: string[];
}

export function readTimedText(text: string): Cues {
	const lines = text.split("\n");
	const header = readHeader(lines);
	const openCues = header.isVtt ? vttCues(lines, header.length) : srtCues(lines);
	const cues = openCues.flatMap(({ begin, end, lines: cueLines }) => voicesOf({ begin, end }, cueLines.join("\n")));
	const withoutTime = openCues.filter(({ begin, lines: cueLines }) => begin === null && cueLines.some((line) => line.trim() !== "")).length;
	const warnings: readonly Warning[] =
		withoutTime === 0 ? [] : [{ code: "TIMES_BROKEN", message: `the time of ${withoutTime} subtitles cannot be read; their text is kept` }];
	return { cues, warnings, title: header.title, language: header.language };
}

interface Header {
	readonly isVtt: boolean;
	/** Number of lines. */
	readonly length: number;
	readonly title: string | null;
	readonly language: string | null;
}

/** Reads `WEBVTT - a title`, then lines such as `Language: en` up to the first blank line. */
function readHeader(lines: readonly string[]): Header {
	const [first = ""] = lines;
	if (!/^WEBVTT(?=\s|$)/.test(first)) return { isVtt: false, length: 0, title: null, language: null };
	const headerEnd = lines.findIndex((line, index) => index > 0 && (line.trim() === "" || timeLine(line) !== null));
	const length = headerEnd < 0 ? lines.length : headerEnd;
	const language = lines.slice(1, Math.min(length, 50)).flatMap((line) => /^Language:\s*(\S{1,35})/i.exec(line)?.[1] ?? [])[0] ?? null;
	return { isVtt: true, length, title: first.slice(6).replace(/^[\s-–:]+/, "") || null, language };
}

/** The cues of WebVTT. Blocks are separated by blank lines; the time line of a block is its first line, or the second after a cue id. */
function vttCues(lines: readonly string[], from: number): readonly OpenCue[] {
	const found: OpenCue[] = [];
	let at = from;
	while (at < lines.length) {
		const block: string[] = [];
		for (; at < lines.length && (lines[at] ?? "").trim() !== ""; at++) block.push(lines[at] ?? "");
		at++;
		if (block.length > 0) addBlock(found, block);
	}
	return found;
}

/** Adds the cues of a block. A time line begins a cue even without a blank line before it; a block without one belongs to the cue before. */
function addBlock(found: OpenCue[], block: readonly string[]): void {
	const hasTime = block.some((line) => timeLine(line) !== null);
	if (!hasTime && commentBlock.test(block[0] ?? "")) return;
	let openCue: OpenCue | null = null;
	for (const [index, line] of block.entries()) {
		const next = beginCue(line);
		if (next !== null) {
			if (openCue !== null) removeCueNumber(found);
			openCue = next;
			found.push(openCue);
		} else if (openCue !== null) openCue.lines.push(line);
		else if (!hasTime && !looksLikeTime(block[index + 1] ?? "")) (found.at(-1) ?? addCueWithoutTime(found)).lines.push(line);
	}
}

/** The cues of SubRip. A cue reaches to the next time line, since some programs put blank lines within cues. */
function srtCues(lines: readonly string[]): readonly OpenCue[] {
	const found: OpenCue[] = [];
	for (const line of lines) {
		const next = beginCue(line);
		if (next === null) {
			if (found.length > 0 || line.trim() !== "") (found.at(-1) ?? addCueWithoutTime(found)).lines.push(line);
			continue;
		}
		removeCueNumber(found);
		found.push(next);
	}
	return found.filter((cue) => cue.begin !== null || cue.lines.some((line) => line.trim() !== ""));
}

/** Removes the cue's number, which is the line before its time line. */
function removeCueNumber(found: readonly OpenCue[]): void {
	const previousLines = found.at(-1)?.lines;
	if (previousLines !== undefined && /^\s*\d{1,9}\s*$/.test(previousLines.at(-1) ?? "")) previousLines.pop();
}

function addCueWithoutTime(found: OpenCue[]): OpenCue {
	const openCue: OpenCue = { begin: null, end: null, lines: [] };
	found.push(openCue);
	return openCue;
}

/** The cue that a time line begins; null for any other line. If its end is before its begin, the end is ignored. */
function beginCue(line: string): OpenCue | null {
	const time = timeLine(line);
	if (time !== null) return { begin: time.begin, end: Math.max(time.begin, time.end), lines: [] };
	return looksLikeTime(line) ? { begin: null, end: null, lines: [] } : null;
}
