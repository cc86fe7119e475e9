/** The body of `POST /v4/conversations` → a conversation of plain messages. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import type { Conversation, Message } from "../../../core/ingest/converse.ts";
import { limits } from "../../../core/model/limits.ts";
import { asMetadata, containerTag, containerTags, entityContext, metadata, unitedTags } from "../requests/fields.ts";
import { reader } from "../requests/reader.ts";

const roles = ["user", "assistant", "system", "tool"] as const;

const part = Type.Object({
	type: Type.String({ maxLength: 50, description: "`text` or `image_url`." }),
	text: Type.Optional(Type.String({ maxLength: limits.contentCharactersMax })),
	imageUrl: Type.Optional(Type.Unknown({ description: "`{ url }`; `image_url` is accepted as well. Pictures in a conversation are not read." })),
});

const message = Type.Object({
	role: Type.Union(roles.map((role) => Type.Literal(role))),
	content: Type.Optional(Type.Union([Type.String({ maxLength: limits.contentCharactersMax }), Type.Array(part, { maxItems: 1_000 })])),
	name: Type.Optional(Type.String({ maxLength: 200 })),
	toolCalls: Type.Optional(Type.Array(Type.Unknown(), { description: "Accepted and ignored: calls of tools are nothing to remember." })),
	toolCallId: Type.Optional(Type.String({ maxLength: 200 })),
});

export const conversationBody = Type.Object({
	conversationId: Type.String({
		minLength: 1,
		maxLength: 255,
		description: "One document for each; every call may carry the whole history, or only what is new.",
	}),
	messages: Type.Array(message, { minItems: 1, maxItems: 10_000 }),
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
	const tags = unitedTags(body.containerTag, body.containerTags);
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

/** The text of a message; empty for one with only images or tool calls. */
function toMessage({ role, content, name }: Static<typeof message>): readonly Message[] {
	const words =
		typeof content === "string" ? content : (content ?? []).flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n");
	return words.trim() === "" ? [] : [{ role, name: name ?? null, content: words.toWellFormed().replaceAll("\0", "") }];
}
