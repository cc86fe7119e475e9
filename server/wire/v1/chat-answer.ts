/** Reads the assistant's text from a provider's response while it is passed on: from JSON or from server-sent events. */

import { limits } from "../../../core/model/limits.ts";
import { isRecord } from "../requests/is-record.ts";
import { textOf } from "./chat-request.ts";

export interface ChatResponse {
	/** The text of the first choice. */
	readonly text: string;
	/** Whether it calls tools. Then the turn is not over, because the client will send their results. */
	readonly callsTools: boolean;
}

export interface ResponseReader {
	readonly push: (bytes: Uint8Array) => void;
	/** Null while the response is incomplete, and if it cannot be parsed. */
	readonly response: () => ChatResponse | null;
}

/** @param mediaType from the provider's `content-type` header */
export function createResponseReader(mediaType: string): ResponseReader {
	return mediaType.includes("event-stream") ? streamReader() : jsonReader();
}

function jsonReader(): ResponseReader {
	const decoder = new TextDecoder();
	let text = "";
	return {
		push: (bytes) => {
			if (text.length <= limits.requestBodyBytesMax) text += decoder.decode(bytes, { stream: true });
		},
		response: () => {
			const message = choiceOf(parseJson(text))?.["message"];
			return isRecord(message) ? { text: textIn(message), callsTools: hasToolCalls(message) } : null;
		},
	};
}

/** Each line has one JSON object. A line that arrives in pieces is joined first. */
function streamReader(): ResponseReader {
	const decoder = new TextDecoder();
	let [line, text] = ["", ""];
	let [callsTools, isComplete, isBroken] = [false, false, false];
	const read = (data: string) => {
		if (data === "[DONE]") isComplete = true;
		const event = parseJson(data);
		if (isRecord(event) && event["error"] !== undefined && event["error"] !== null) isBroken = true;
		const choice = choiceOf(event);
		if (typeof choice?.["finish_reason"] === "string") isComplete = true;
		const delta = choice?.["delta"];
		if (!isRecord(delta)) return;
		text += textIn(delta);
		callsTools ||= hasToolCalls(delta);
	};
	return {
		push: (bytes) => {
			const lines = (line + decoder.decode(bytes, { stream: true })).split("\n");
			line = lines.pop() ?? "";
			for (const completeLine of lines) if (completeLine.startsWith("data:")) read(completeLine.slice("data:".length).trim());
			if (line.length + text.length > limits.contentCharactersMax) isBroken = true;
			if (isBroken) [line, text] = ["", ""];
		},
		response: () => (isComplete && !isBroken ? { text, callsTools } : null),
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** The first choice; an event of a stream may be about another one. */
function choiceOf(answer: unknown): Readonly<Record<string, unknown>> | null {
	const choices = isRecord(answer) && Array.isArray(answer["choices"]) ? (answer["choices"] as readonly unknown[]) : [];
	return choices.filter(isRecord).find(({ index }) => index === 0 || index === undefined) ?? null;
}

function textIn({ content, refusal }: Readonly<Record<string, unknown>>): string {
	return textOf(content) || textOf(refusal);
}

function hasToolCalls({ tool_calls: calls, function_call: call }: Readonly<Record<string, unknown>>): boolean {
	return (Array.isArray(calls) && calls.length > 0) || isRecord(call);
}
