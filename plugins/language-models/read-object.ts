/** The object in an answer, mended where it was cut off or wrapped in words. */

import type { Json } from "cairn-memory";
import { jsonrepair } from "jsonrepair";

/** Models that think aloud do it in front. */
const thoughts = /^\s*<think>[\s\S]*?<\/think>/;

/** Undefined when there is none. */
export function readObject(text: string): Json | undefined {
	const answer = text.replace(thoughts, "");
	const start = answer.indexOf("{");
	// Mending would make a text of whatever stands there.
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

/** Several answers in a row become a list when they are mended: the first is the answer. */
function objectIn(value: unknown): Json | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === "object" && first !== null && !Array.isArray(first) ? (first as Json) : undefined;
}
