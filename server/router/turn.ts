/** The turn of a chat as the conversation that it is added to. */

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
 * A conversation with a name gets the whole history, as any client may send it. One without is known by how it begins; since
 * another may begin alike, only what is new is added to it.
 *
 * @returns null where nothing was said: the model calls a tool, or both sides are pictures
 */
export function turnOf({ user, conversationId, messages }: ChatRequest, { text, callsTools }: ChatResponse, containerTags: readonly string[]): Turn | null {
	const isSilent = text.trim() === "";
	// The request with what the tools say brings the messages again.
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
