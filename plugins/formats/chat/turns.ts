/** Splits conversations into turns: JSON arrays, JSON Lines and `Name: text` logs. */

import { detectDateOrder, readTimestamp } from "./stamp.ts";

export interface Turn {
	readonly speaker: string | null;
	readonly text: string;
	/** Milliseconds since 1970, or since midnight if the log has no dates; null without a time. */
	readonly timeMs: number | null;
}

export interface Turns {
	readonly turns: readonly Turn[];
	/** How many entries have no text. */
	readonly skipped: number;
}

/** Null if the text is neither JSON nor JSON Lines. */
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

/** Reads a log. A line that begins with a name begins a turn; other lines continue it. */
export function turnsOfLog(text: string): Turns {
	const turns: { speaker: string | null; lines: string[]; timeMs: number | null }[] = [];
	const lines = text.split("\n");
	const order = detectDateOrder(lines);
	for (const line of lines) {
		const stamp = readTimestamp(line, order);
		const rest = line.slice(stamp?.length ?? 0);
		const time = stamp === null ? null : (stamp.dateMs ?? 0) + stamp.timeOfDayMs;
		const speakerLine = /^(?<speaker>[^\s:][^:\n]{0,59}?)\s*:(?:\s+(?<words>.*))?$/.exec(rest)?.groups;
		const last = turns.at(-1);
		if (speakerLine !== undefined) turns.push({ speaker: speakerLine["speaker"] ?? null, lines: [speakerLine["words"] ?? ""], timeMs: time });
		else if (last !== undefined) last.lines.push(line.trimEnd());
		else if (line.trim() !== "") turns.push({ speaker: null, lines: [line.trimEnd()], timeMs: time });
	}
	const trimmedTurns = turns.map(({ speaker, lines, timeMs }) => ({ speaker, text: lines.join("\n").trim(), timeMs }));
	return { turns: trimmedTurns.filter((turn) => turn.text !== ""), skipped: 0 };
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
	const text = contentText(entry["content"] ?? entry["text"] ?? entry["message"]).trim();
	const speaker = [entry["speaker"], entry["name"], entry["role"]].find((name) => typeof name === "string" && name.trim() !== "");
	return text === "" ? null : { speaker: typeof speaker === "string" ? speaker.trim() : null, text, timeMs: parseTime(entry["timestamp"]) };
}

/** The text of a message. Some services store it in parts: `[{ type: "text", text: "…" }]`. */
function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	if (Array.isArray(content))
		return content
			.map(partText)
			.filter((part) => part !== "")
			.join("\n");
	return partText(content);
}

function partText(part: unknown): string {
	if (typeof part === "string") return part;
	return isRecord(part) && typeof part["text"] === "string" ? part["text"] : "";
}

/** Parses seconds or milliseconds since 1970, or a date. Numbers below 1e11 are seconds: as seconds, larger ones would be after the year 5138. */
function parseTime(timestamp: unknown): number | null {
	if (typeof timestamp === "number") return Number.isFinite(timestamp) ? timestamp * (Math.abs(timestamp) < 1e11 ? 1000 : 1) : null;
	if (typeof timestamp !== "string") return null;
	if (/^\d+(\.\d+)?$/.test(timestamp)) return parseTime(Number(timestamp));
	const moment = Date.parse(timestamp);
	return Number.isNaN(moment) ? null : moment;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
