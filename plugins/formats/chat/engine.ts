/** Reads conversations: one cue for each turn. Runs in the sandbox. */

import { completeExtraction, type Engine, fail, type ReadableBlock, type Warning } from "cairn-memory";
import type { Content, SandboxResult } from "../blocks/content.ts";
import { readText } from "../text/read-text.ts";
import { type Turn, type Turns, turnsOfJson, turnsOfLog } from "./turns.ts";

export interface ChatInput {
	readonly content: Content;
	readonly form: "json" | "log";
}

const engine: Engine<ChatInput, SandboxResult> = async ({ content, form }) => {
	const text = readText(content);
	const { turns, skipped } = form === "log" ? turnsOfLog(text) : readJson(text);
	const warnings: readonly Warning[] = skipped === 0 ? [] : [{ code: "TURNS_SKIPPED", message: `${skipped} entries hold no words` }];
	return { extraction: completeExtraction({ blocks: cuesOf(turns), type: "text" }), warnings };
};
export default engine;

function readJson(text: string): Turns {
	const turns = turnsOfJson(text);
	if (turns === null) throw fail("FILE_BROKEN", "it is neither JSON nor one JSON object a line");
	return turns;
}

/** A smaller time is a time of day, from a log without dates. */
const firstDayMs = 366 * 86_400_000;
/** The largest time of `Date`. */
const lastDayMs = 8.64e15;

/** Seconds are relative to the first time in the log; times that run backwards are ignored. Each new day becomes a line of its own. */
function cuesOf(turns: readonly Turn[]): readonly ReadableBlock[] {
	const cues: ReadableBlock[] = [];
	let start: number | null = null;
	let latest = 0;
	let day = "";
	for (const { speaker, text, atMs } of turns) {
		start ??= atMs;
		const seconds = atMs === null || start === null ? null : (atMs - start) / 1000;
		const isInOrder = seconds !== null && seconds >= latest;
		if (isInOrder) latest = seconds;
		const today = isInOrder ? (dayOf(atMs) ?? day) : day;
		if (today !== day) cues.push({ kind: "caption", text: today, headings: [], place: {} });
		day = today;
		cues.push({ kind: "cue", speaker, text, headings: [], place: isInOrder ? { seconds: [seconds, seconds] } : {} });
	}
	return cues;
}

function dayOf(atMs: number | null): string | null {
	return atMs === null || atMs < firstDayMs || atMs > lastDayMs ? null : new Date(atMs).toISOString().slice(0, 10);
}
