/** SubRip and WebVTT → cues. One reader for both, since files often have the other's extension or syntax. */

import type { Warning } from "cairn-memory";
import type { Cues } from "../cue.ts";
import { looksLikeTime, timeLine } from "./cue-time.ts";
import { voicesOf } from "./voices.ts";

/** Blocks of WebVTT that are not cues. */
const silentBlock = /^(?:NOTE|STYLE|REGION)(?=\s|$)/;

interface Open {
	readonly begin: number | null;
	readonly end: number | null;
	readonly lines: string[];
}

export function readTimedText(text: string): Cues {
	const lines = text.split("\n");
	const header = readHeader(lines);
	const found = header.isVtt ? vttCues(lines, header.length) : srtCues(lines);
	const cues = found.flatMap(({ begin, end, lines: words }) => voicesOf({ begin, end }, words.join("\n")));
	const broken = found.filter(({ begin, lines: words }) => begin === null && words.some((line) => line.trim() !== "")).length;
	const warnings: readonly Warning[] =
		broken === 0 ? [] : [{ code: "TIMES_BROKEN", message: `the time of ${broken} subtitles cannot be read; their words are kept` }];
	return { cues, warnings, title: header.title, language: header.language };
}

interface Header {
	readonly isVtt: boolean;
	/** Number of lines. */
	readonly length: number;
	readonly title: string | null;
	readonly language: string | null;
}

/** `WEBVTT - a title`, then lines such as `Language: en` up to the first blank one. */
function readHeader(lines: readonly string[]): Header {
	const [first = ""] = lines;
	if (!/^WEBVTT(?=\s|$)/.test(first)) return { isVtt: false, length: 0, title: null, language: null };
	const blank = lines.findIndex((line, index) => index > 0 && (line.trim() === "" || timeLine(line) !== null));
	const length = blank < 0 ? lines.length : blank;
	const language = lines.slice(1, Math.min(length, 50)).flatMap((line) => /^Language:\s*(\S{1,35})/i.exec(line)?.[1] ?? [])[0] ?? null;
	return { isVtt: true, length, title: first.slice(6).replace(/^[\s-–:]+/, "") || null, language };
}

/** Blocks are separated by blank lines; the time line is the first, or the second behind a cue id. */
function vttCues(lines: readonly string[], from: number): readonly Open[] {
	const found: Open[] = [];
	let at = from;
	while (at < lines.length) {
		const block: string[] = [];
		for (; at < lines.length && (lines[at] ?? "").trim() !== ""; at++) block.push(lines[at] ?? "");
		at++;
		if (block.length > 0) addBlock(found, block);
	}
	return found;
}

/** A time line begins a cue also without a blank line before it; text without a time line belongs to the cue before. */
function addBlock(found: Open[], block: readonly string[]): void {
	const hasTime = block.some((line) => timeLine(line) !== null);
	if (!hasTime && silentBlock.test(block[0] ?? "")) return;
	let open: Open | null = null;
	for (const [index, line] of block.entries()) {
		const next = opened(line);
		if (next !== null) {
			if (open !== null) dropNumber(found);
			open = next;
			found.push(open);
		} else if (open !== null) open.lines.push(line);
		else if (!hasTime && !looksLikeTime(block[index + 1] ?? "")) (found.at(-1) ?? begun(found)).lines.push(line);
	}
}

/** A cue lasts to the next time line: programs put blank lines within cues. */
function srtCues(lines: readonly string[]): readonly Open[] {
	const found: Open[] = [];
	for (const line of lines) {
		const next = opened(line);
		if (next === null) {
			if (found.length > 0 || line.trim() !== "") (found.at(-1) ?? begun(found)).lines.push(line);
			continue;
		}
		dropNumber(found);
		found.push(next);
	}
	return found.filter((cue) => cue.begin !== null || cue.lines.some((line) => line.trim() !== ""));
}

/** Removes the cue's number, which is the line before its time line. */
function dropNumber(found: readonly Open[]): void {
	const before = found.at(-1)?.lines;
	if (before !== undefined && /^\s*\d{1,9}\s*$/.test(before.at(-1) ?? "")) before.pop();
}

function begun(found: Open[]): Open {
	const open: Open = { begin: null, end: null, lines: [] };
	found.push(open);
	return open;
}

/** Of a time line that ends before it begins, only the begin is used. */
function opened(line: string): Open | null {
	const time = timeLine(line);
	if (time !== null) return { begin: time.begin, end: Math.max(time.begin, time.end), lines: [] };
	return looksLikeTime(line) ? { begin: null, end: null, lines: [] } : null;
}
