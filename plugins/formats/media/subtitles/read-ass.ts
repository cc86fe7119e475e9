/** Reads SubStation Alpha: the text of its dialogue lines, without drawings and effects. */

import type { Cue, Cues } from "../cue.ts";
import { secondsOf } from "./cue-time.ts";
import { plainWords } from "./plain-words.ts";

const defaultFields = "layer,start,end,style,name,marginl,marginr,marginv,effect,text";

export function readAss(text: string): Cues {
	const cues: Cue[] = [];
	let fields: readonly string[] = defaultFields.split(",");
	let title: string | null = null;
	let skipped = 0;
	for (const line of text.split("\n")) {
		const [, key = "", value = ""] = /^(Dialogue|Format|Title):\s?(.*)$/.exec(line) ?? [];
		if (key === "Title") title = value.trim();
		// The styles section has a format line too, but without a text field.
		if (key === "Format" && /\btext\s*$/i.test(value)) fields = value.split(",", 50).map((name) => name.trim().toLowerCase());
		if (key !== "Dialogue") continue;
		const cue = dialogue(value, fields);
		if (cue === null) skipped++;
		else if (cue.text !== "") cues.push(cue);
	}
	const warnings = skipped === 0 ? [] : [{ code: "TIMES_BROKEN", message: `${skipped} dialogue lines are incomplete and were left out` }];
	return { cues, warnings, title: title === "<untitled>" ? null : title };
}

/** Reads a sample of a Matroska track: number, layer, style, name, margins, effect, text. Its time is that of the block. */
export function readAssSample(sample: string, begin: number, end: number | null): Cue {
	const parts = splitFields(sample, 9);
	return { begin, end, speaker: speakerOf(parts[3]), text: withoutDrawings(parts[8] ?? "") };
}

function dialogue(value: string, fields: readonly string[]): Cue | null {
	const parts = splitFields(value, fields.length);
	const field = (name: string) => parts[fields.indexOf(name)];
	const dialogueText = field("text");
	if (dialogueText === undefined) return null;
	const begin = secondsOf(field("start") ?? "");
	const end = secondsOf(field("end") ?? "");
	return {
		begin,
		end: end === null || begin === null ? null : Math.max(begin, end),
		speaker: speakerOf(field("name") ?? field("actor")),
		text: withoutDrawings(dialogueText),
	};
}

/** Splits a line at commas. The last field takes the rest, including further commas. */
function splitFields(value: string, count: number): readonly string[] {
	const parts: string[] = [];
	let start = 0;
	while (parts.length < count - 1) {
		const comma = value.indexOf(",", start);
		if (comma < 0) break;
		parts.push(value.slice(start, comma));
		start = comma + 1;
	}
	return [...parts, value.slice(start)];
}

function speakerOf(name: string | undefined): string | null {
	const trimmed = (name ?? "").trim();
	return trimmed === "" || trimmed === "NTP" ? null : trimmed;
}

/** The text of a line as plain text, without the vector drawings between `{\p1}` and `{\p0}`. */
function withoutDrawings(text: string): string {
	const parts = text.split(/(\{[^{}]{0,2000}\})/);
	let isDrawing = false;
	let visibleText = "";
	for (const part of parts) {
		const isOverride = part.startsWith("{") && part.endsWith("}");
		const drawing = isOverride ? /\\p(\d)/.exec(part)?.[1] : undefined;
		if (drawing !== undefined) isDrawing = drawing !== "0";
		if (!isOverride && !isDrawing) visibleText += part;
	}
	return plainWords(visibleText);
}
