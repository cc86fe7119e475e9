/** The body of `POST /v1/chat/completions`: which fields the router reads, and how it adds the memory text. Everything else is passed on unchanged. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import type { Message } from "../../../core/ingest/converse.ts";
import { containerTag } from "../requests/fields.ts";
import { isRecord } from "../requests/is-record.ts";
import { cleanTexts, reader } from "../requests/reader.ts";

export const chatBody = Type.Object({
	model: Type.String({ description: "A model of the provider.", examples: ["gpt-4o-mini"] }),
	messages: Type.Array(Type.Object({ role: Type.String({ description: "Who says it." }) }), {
		description: "In the provider's format. The memories are added to the system message.",
	}),
	user: Type.Optional({ ...containerTag, description: "The user whose memories are used, unless the header `x-sm-user-id` names one." }),
});

const userHeader = "x-sm-user-id";
const conversationHeader = "x-sm-conversation-id";
export const userParameter = "userId";

const readNames = reader(
	Type.Object({
		user: containerTag,
		conversationId: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "As in `/v4/conversations`." })),
	}),
);

export interface ChatRequest {
	readonly body: Readonly<Record<string, unknown>>;
	/** The container whose memories are used. */
	readonly user: string;
	/** The client's name for the conversation; null when it gives none. */
	readonly conversationId: string | null;
	/** The texts of users and assistants, without images, tool calls and system messages. */
	readonly messages: readonly Message[];
}

/**
 * @param defaultUser the container that is used when the request names no user; null for none
 * @throws ServiceError of kind `invalid`
 */
export function parseChat(raw: unknown, { headers, url }: Pick<Request, "headers" | "url">, defaultUser: string | null): ChatRequest {
	if (!isRecord(raw)) throw fail("INPUT_INVALID", "the request should be an object");
	const user = headers.get(userHeader) ?? raw["user"] ?? new URL(url).searchParams.get(userParameter) ?? defaultUser;
	if (user === null) throw fail("INPUT_INVALID", `the request names no user whose memories to use: send the header ${userHeader}, or user in the body`);
	const conversationId = headers.get(conversationHeader);
	const names = readNames({ user, ...(conversationId !== null && { conversationId }) });
	return { body: raw, user: names.user, conversationId: names.conversationId ?? null, messages: messagesOf(raw) };
}

function messagesOf({ messages }: Readonly<Record<string, unknown>>): readonly Message[] {
	return (Array.isArray(messages) ? messages : []).flatMap((message: unknown) => {
		if (!isRecord(message) || (message["role"] !== "user" && message["role"] !== "assistant")) return [];
		const content = String(cleanTexts(textOf(message["content"])));
		return content.trim() === "" ? [] : [{ role: message["role"], name: typeof message["name"] === "string" ? message["name"] : null, content }];
	});
}

/** The text of a message's content, which may be a list of parts. */
export function textOf(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content.flatMap((part: unknown) => (isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : [])).join("\n");
}

/**
 * The body that is sent to the provider. If the first message is a system message, the text is appended to it, because many models
 * allow only one and only there; otherwise a system message is added in front.
 */
export function withMemoryText(body: ChatRequest["body"], text: string | null): string {
	const { messages } = body;
	if (text === null || !Array.isArray(messages)) return JSON.stringify(body);
	const [first, ...rest] = messages as readonly unknown[];
	const extended = withTextAppended(first, text);
	return JSON.stringify({ ...body, messages: extended === null ? [{ role: "system", content: text }, ...messages] : [extended, ...rest] });
}

function withTextAppended(message: unknown, text: string): object | null {
	if (!isRecord(message) || (message["role"] !== "system" && message["role"] !== "developer")) return null;
	const { content } = message;
	if (typeof content === "string") return { ...message, content: `${content}\n\n${text}` };
	return Array.isArray(content) ? { ...message, content: [...content, { type: "text", text }] } : null;
}

/** A reviver that preserves the source text of numbers such as `1.0`, and of integers too large for a double. */
export function exactNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
	const source = context?.source;
	return typeof value !== "number" || source === undefined || String(value) === source ? value : rawJson(source);
}

/** TypeScript's library has no types for `JSON.rawJSON` yet. */
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (source: string) => unknown };
