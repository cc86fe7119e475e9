/** Reads conversations: one cue for each turn. Runs in the sandbox. */

import { type Engine, fail, type Warning } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { readText } from "../text/read-text.ts";
import { type Turn, type Turns, turnsOfJson, turnsOfLog } from "./turns.ts";

export interface ChatInput {
	readonly content: Content;
	readonly format: "json" | "log";
}

const engine: Engine<ChatInput, SandboxResult> = async ({ content, format }) => {
	const text = readText(content);
	const { turns, skipped } = format === "log" ? turnsOfLog(text) : readJson(text);
	const warnings: readonly Warning[] = skipped === 0 ? [] : [{ code: "TURNS_SKIPPED", message: `${skipped} entries without text were left out` }];
	return { extraction: completeExtraction({ blocks: cuesOf(turns), type: "text" }), warnings };
};
export default engine;

function readJson(text: string): Turns {
	const turns = turnsOfJson(text);
	if (turns === null) throw fail("FILE_BROKEN", "it is neither JSON nor JSON Lines");
	return turns;
}

/** Smaller times are times of day, from a log without dates. */
const firstDayMs = 366 * 86_400_000;
/** The largest time that `Date` can represent. */
const lastDayMs = 8.64e15;

/** Converts turns to cues. Their seconds are relative to the first time; times that run backwards are ignored. A new day is added as a caption. */
function cuesOf(turns: readonly Turn[]): readonly ReadableBlock[] {
	const cues: ReadableBlock[] = [];
	let start: number | null = null;
	let latest = 0;
	let day = "";
	for (const { speaker, text, timeMs } of turns) {
		start ??= timeMs;
		const seconds = timeMs === null || start === null ? null : (timeMs - start) / 1000;
		const isInOrder = seconds !== null && seconds >= latest;
		if (isInOrder) latest = seconds;
		const currentDay = isInOrder ? (dayOf(timeMs) ?? day) : day;
		if (currentDay !== day) cues.push({ kind: "caption", text: currentDay, headings: [], place: {} });
		day = currentDay;
		cues.push({ kind: "cue", speaker, text, headings: [], place: isInOrder ? { seconds: [seconds, seconds] } : {} });
	}
	return cues;
}

function dayOf(atMs: number | null): string | null {
	return atMs === null || atMs < firstDayMs || atMs > lastDayMs ? null : new Date(atMs).toISOString().slice(0, 10);
}
