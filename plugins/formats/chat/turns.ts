/** Conversations → turns: JSON arrays, JSON lines and `Name: text` logs. */

import { dayOrderOf, stampOf } from "./stamp.ts";

export interface Turn {
	readonly speaker: string | null;
	readonly text: string;
	/** Milliseconds since 1970, or since midnight where the log has no dates; null without a time. */
	readonly atMs: number | null;
}

export interface Turns {
	readonly turns: readonly Turn[];
	/** How many lines or entries are no turn. */
	readonly skipped: number;
}

/** Null when the text is neither JSON nor JSON lines. */
export function turnsOfJson(text: string): Turns | null {
	const whole = parse(text);
	const entries =
		whole === undefined
			? text
					.split("\n")
					.filter((line) => line.trim() !== "")
					.map(parse)
			: entriesOf(whole);
	const turns = entries.map(turnOf).filter((turn) => turn !== null);
	return turns.length === 0 && whole === undefined ? null : { turns, skipped: entries.length - turns.length };
}

/** A line that begins with a name begins a turn; other lines continue it. */
export function turnsOfLog(text: string): Turns {
	const turns: { speaker: string | null; lines: string[]; atMs: number | null }[] = [];
	const lines = text.split("\n");
	const order = dayOrderOf(lines);
	for (const line of lines) {
		const stamp = stampOf(line, order);
		const rest = line.slice(stamp?.length ?? 0);
		const time = stamp === null ? null : (stamp.dayMs ?? 0) + stamp.clockMs;
		const said = /^(?<speaker>[^\s:][^:\n]{0,59}?)\s*:(?:\s+(?<words>.*))?$/.exec(rest)?.groups;
		const last = turns.at(-1);
		if (said !== undefined) turns.push({ speaker: said["speaker"] ?? null, lines: [said["words"] ?? ""], atMs: time });
		else if (last !== undefined) last.lines.push(line.trimEnd());
		else if (line.trim() !== "") turns.push({ speaker: null, lines: [line.trimEnd()], atMs: time });
	}
	const spoken = turns.map(({ speaker, lines, atMs }) => ({ speaker, text: lines.join("\n").trim(), atMs }));
	return { turns: spoken.filter((turn) => turn.text !== ""), skipped: 0 };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function entriesOf(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	if (isRecord(value) && Array.isArray(value["messages"])) return value["messages"];
	return [value];
}

function turnOf(entry: unknown): Turn | null {
	if (!isRecord(entry)) return null;
	const text = wordsOf(entry["content"] ?? entry["text"] ?? entry["message"]).trim();
	const speaker = [entry["speaker"], entry["name"], entry["role"]].find((name) => typeof name === "string" && name.trim() !== "");
	return text === "" ? null : { speaker: typeof speaker === "string" ? speaker.trim() : null, text, atMs: momentOf(entry["timestamp"]) };
}

/** The text of a message, which some services send as parts: `[{ type: "text", text: "…" }]`. */
function wordsOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (Array.isArray(content))
		return content
			.map(wordsOfPart)
			.filter((part) => part !== "")
			.join("\n");
	return wordsOfPart(content);
}

function wordsOfPart(part: unknown): string {
	if (typeof part === "string") return part;
	return isRecord(part) && typeof part["text"] === "string" ? part["text"] : "";
}

/** Parses seconds or milliseconds since 1970, or a written date. Seconds are as large as milliseconds only from the year 5138 on. */
function momentOf(timestamp: unknown): number | null {
	if (typeof timestamp === "number") return Number.isFinite(timestamp) ? timestamp * (Math.abs(timestamp) < 1e11 ? 1000 : 1) : null;
	if (typeof timestamp !== "string") return null;
	if (/^\d+(\.\d+)?$/.test(timestamp)) return momentOf(Number(timestamp));
	const moment = Date.parse(timestamp);
	return Number.isNaN(moment) ? null : moment;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
