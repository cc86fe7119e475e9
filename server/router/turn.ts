/** Converts the request and response of a chat to the messages that are added to the stored conversation. */

import { createHash } from "node:crypto";
import type { Message } from "../../core/ingest/converse.ts";
import type { ChatResponse } from "../wire/v1/chat-answer.ts";
import type { ChatRequest } from "../wire/v1/chat-request.ts";

export interface Turn {
	readonly conversationId: string;
	readonly containerTags: readonly string[];
	readonly messages: readonly Message[];
}

/**
 * A conversation with an id gets the whole history, as with any client. One without an id gets an id from its first messages. Since
 * another conversation may begin with the same messages, only the new messages are added to it.
 *
 * @returns null if there is no text to store: the model calls a tool, or the messages have only images
 */
export function turnOf({ user, conversationId, messages }: ChatRequest, { text, callsTools }: ChatResponse, containerTags: readonly string[]): Turn | null {
	const isSilent = text.trim() === "";
	// The next request has these messages again, with the results of the tools.
	if (isSilent && callsTools) return null;
	const all = isSilent ? messages : [...messages, { role: "assistant", name: null, content: text }];
	const answered = messages.findLastIndex(({ role }) => role === "assistant") + 1;
	const added = conversationId === null ? all.slice(answered) : all;
	return added.length === 0 ? null : { conversationId: conversationId ?? nameOf(user, all), containerTags, messages: added };
}

function nameOf(user: string, messages: readonly Message[]): string {
	const beginning = ["user", "assistant"].map((role) => messages.find((message) => message.role === role)?.content ?? "");
	const hash = createHash("sha256").update(JSON.stringify([user, ...beginning]));
	return `chat-${hash.digest("hex").slice(0, 32)}`;
}
