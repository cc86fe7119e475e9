/** Reads the answer of a provider while it passes: the text that the assistant says, from JSON or from a stream of events. */

import { limits } from "../../../core/model/limits.ts";
import { isRecord } from "../requests/is-record.ts";
import { textOf } from "./chat-request.ts";

export interface ChatAnswer {
	/** Of the first choice. */
	readonly text: string;
	/** The turn goes on: the client answers what the tools say. */
	readonly callsTools: boolean;
}

export interface AnswerReader {
	readonly take: (bytes: Uint8Array) => void;
	/** Null while the answer is not complete, and when it cannot be read. */
	readonly answer: () => ChatAnswer | null;
}

/** @param mediaType as the provider's header says it */
export function createAnswerReader(mediaType: string): AnswerReader {
	return mediaType.includes("event-stream") ? streamReader() : jsonReader();
}

function jsonReader(): AnswerReader {
	const decoder = new TextDecoder();
	let text = "";
	return {
		take: (bytes) => {
			if (text.length <= limits.requestBodyBytesMax) text += decoder.decode(bytes, { stream: true });
		},
		answer: () => {
			const message = choiceOf(parsed(text))?.["message"];
			return isRecord(message) ? { text: saidIn(message), callsTools: callsIn(message) } : null;
		},
	};
}

/** One JSON object a line; a line that arrives in pieces is put together first. */
function streamReader(): AnswerReader {
	const decoder = new TextDecoder();
	let [line, text] = ["", ""];
	let [callsTools, isComplete, isBroken] = [false, false, false];
	const read = (data: string) => {
		if (data === "[DONE]") isComplete = true;
		const event = parsed(data);
		if (isRecord(event) && event["error"] !== undefined && event["error"] !== null) isBroken = true;
		const choice = choiceOf(event);
		if (typeof choice?.["finish_reason"] === "string") isComplete = true;
		const delta = choice?.["delta"];
		if (!isRecord(delta)) return;
		text += saidIn(delta);
		callsTools ||= callsIn(delta);
	};
	return {
		take: (bytes) => {
			const lines = (line + decoder.decode(bytes, { stream: true })).split("\n");
			line = lines.pop() ?? "";
			for (const whole of lines) if (whole.startsWith("data:")) read(whole.slice("data:".length).trim());
			if (line.length + text.length > limits.contentCharactersMax) isBroken = true;
			if (isBroken) [line, text] = ["", ""];
		},
		answer: () => (isComplete && !isBroken ? { text, callsTools } : null),
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** The first of several; in a stream an event may be about another one. */
function choiceOf(answer: unknown): Readonly<Record<string, unknown>> | null {
	const choices = isRecord(answer) && Array.isArray(answer["choices"]) ? (answer["choices"] as readonly unknown[]) : [];
	return choices.filter(isRecord).find(({ index }) => index === 0 || index === undefined) ?? null;
}

function saidIn({ content, refusal }: Readonly<Record<string, unknown>>): string {
	return textOf(content) || textOf(refusal);
}

function callsIn({ tool_calls: calls, function_call: call }: Readonly<Record<string, unknown>>): boolean {
	return (Array.isArray(calls) && calls.length > 0) || isRecord(call);
}
