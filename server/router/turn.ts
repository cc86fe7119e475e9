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
 * If the request names a conversation, its whole history is stored, as with other clients. Otherwise the id is a hash of its first
 * messages; since another conversation may begin with the same ones, only the messages since the last response are added.
 *
 * @returns null if there is no text to store: the model calls a tool, or the messages have only images
 */
export function turnOf({ user, conversationId, messages }: ChatRequest, { text, callsTools }: ChatResponse, containerTags: readonly string[]): Turn | null {
	const hasNoText = text.trim() === "";
	// The next request contains these messages again, with the results of the tools.
	if (hasNoText && callsTools) return null;
	const all = hasNoText ? messages : [...messages, { role: "assistant", name: null, content: text }];
	const newMessagesStart = messages.findLastIndex(({ role }) => role === "assistant") + 1;
	const messagesToStore = conversationId === null ? all.slice(newMessagesStart) : all;
	return messagesToStore.length === 0 ? null : { conversationId: conversationId ?? conversationIdOf(user, all), containerTags, messages: messagesToStore };
}

function conversationIdOf(user: string, messages: readonly Message[]): string {
	const firstMessages = ["user", "assistant"].map((role) => messages.find((message) => message.role === role)?.content ?? "");
	const hash = createHash("sha256").update(JSON.stringify([user, ...firstMessages]));
	return `chat-${hash.digest("hex").slice(0, 32)}`;
}
