/** Parses the body of `POST /v4/conversations` to a conversation of plain messages. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import type { Conversation, Message } from "../../../core/ingest/converse.ts";
import { limits } from "../../../core/model/limits.ts";
import { asMetadata, containerTag, containerTags, entityContext, mergeTags, metadata } from "../requests/fields.ts";
import { reader } from "../requests/reader.ts";

const roles = ["user", "assistant", "system", "tool"] as const;

const part = Type.Object({
	type: Type.String({ maxLength: 50, description: "`text` or `image_url`." }),
	text: Type.Optional(Type.String({ maxLength: limits.contentCharactersMax, description: "The words of a part with the type `text`." })),
	imageUrl: Type.Optional(Type.Unknown({ description: "`{ url }`; `image_url` is accepted as well. Images in a conversation are ignored." })),
});

const message = Type.Object({
	role: Type.Union(
		roles.map((role) => Type.Literal(role)),
		{ description: "Who says it." },
	),
	content: Type.Optional(
		Type.Union([Type.String({ maxLength: limits.contentCharactersMax }), Type.Array(part, { maxItems: 1_000 })], {
			description: "What is said: a text, or parts.",
		}),
	),
	name: Type.Optional(Type.String({ maxLength: 200, description: "The name of who says it." })),
	tool_calls: Type.Optional(Type.Array(Type.Unknown(), { description: "Accepted and ignored: nothing is remembered from tool calls." })),
	tool_call_id: Type.Optional(Type.String({ maxLength: 200, description: "Which call a message of a tool answers." })),
});

export const conversationBody = Type.Object({
	conversationId: Type.String({
		minLength: 1,
		maxLength: 255,
		description: "Each conversation is one document; a call may have the whole history, or only the new messages.",
	}),
	messages: Type.Array(message, { minItems: 1, maxItems: 10_000, description: "The whole conversation, the oldest message first." }),
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	metadata: Type.Optional(metadata),
	entityContext: Type.Optional(entityContext),
});

const read = reader(conversationBody);

/** @throws ServiceError of kind `invalid` */
export function parseConversation(raw: unknown): Conversation {
	const body = read(raw);
	const messages = body.messages.flatMap(toMessage);
	const tags = mergeTags(body.containerTag, body.containerTags);
	const length = messages.reduce((sum, { content }) => sum + content.length, 0);
	if (length > limits.contentCharactersMax) throw fail("INPUT_INVALID", `messages should have no more than ${limits.contentCharactersMax} characters together`);
	return {
		id: body.conversationId,
		messages,
		containerTags: tags,
		metadata: asMetadata(body.metadata),
		...(body.entityContext === undefined ? {} : { entityContext: body.entityContext }),
	};
}

/** The message with its text; an empty list if it has only images or tool calls. */
function toMessage({ role, content, name }: Static<typeof message>): readonly Message[] {
	const text =
		typeof content === "string" ? content : (content ?? []).flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");
	return text.trim() === "" ? [] : [{ role, name: name ?? null, content: text.toWellFormed().replaceAll("\0", "") }];
}
