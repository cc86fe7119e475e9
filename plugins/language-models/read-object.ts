/** Parses the JSON object in a response, and repairs it where it is truncated or wrapped in text. */

import type { Json } from "cairn-memory";
import { jsonrepair } from "jsonrepair";

/** Reasoning models put their thoughts first. */
const thoughts = /^\s*<think>[\s\S]*?<\/think>/;

/** Undefined when there is none. */
export function readObject(text: string): Json | undefined {
	const answer = text.replace(thoughts, "");
	const start = answer.indexOf("{");
	// The repair would turn any text into a string.
	if (start < 0) return undefined;
	return parsed(answer) ?? parsed(answer.slice(start, answer.lastIndexOf("}") + 1)) ?? mended(answer.slice(start));
}

function parsed(text: string): Json | undefined {
	try {
		return objectIn(JSON.parse(text));
	} catch {
		return undefined;
	}
}

function mended(text: string): Json | undefined {
	try {
		return objectIn(JSON.parse(jsonrepair(text)));
	} catch {
		return undefined;
	}
}

/** The repair turns several objects in a row into a list; the first is used. */
function objectIn(value: unknown): Json | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === "object" && first !== null && !Array.isArray(first) ? (first as Json) : undefined;
}
