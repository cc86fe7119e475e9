/** Parses the JSON object in a response, and repairs it if it is truncated or wrapped in text. */

import type { Json } from "cairn-memory";
import { jsonrepair } from "jsonrepair";

/** Reasoning models write their thoughts first. */
const thoughts = /^\s*<think>[\s\S]*?<\/think>/;

/** The first JSON object in the text; undefined if there is none. */
export function readObject(text: string): Json | undefined {
	const answer = text.replace(thoughts, "");
	const start = answer.indexOf("{");
	// Without this check the repair would turn any text into a JSON string.
	if (start < 0) return undefined;
	return parseObject(answer) ?? parseObject(answer.slice(start, answer.lastIndexOf("}") + 1)) ?? repairObject(answer.slice(start));
}

function parseObject(text: string): Json | undefined {
	try {
		return asObject(JSON.parse(text));
	} catch {
		return undefined;
	}
}

function repairObject(text: string): Json | undefined {
	try {
		return asObject(JSON.parse(jsonrepair(text)));
	} catch {
		return undefined;
	}
}

/** The repair turns several objects in a row into an array; the first one is used. */
function asObject(value: unknown): Json | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === "object" && first !== null && !Array.isArray(first) ? (first as Json) : undefined;
}
