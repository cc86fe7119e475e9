/** A conversation is one document that grows. Clients send the whole history each time, or only the new messages. */

import { findByCustomId } from "../access/find-document.ts";
import { fail } from "../errors/fail.ts";
import type { Document } from "../model/document.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Metadata } from "../model/metadata.ts";
import { connectionOf, parentOf } from "../model/reserved-custom-ids.ts";
import { statedDateOf } from "../model/stated-date.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { receive } from "./receive.ts";

export interface Message {
	readonly role: string;
	readonly name: string | null;
	readonly content: string;
}

/** A stored message. "Tomorrow" in it counts from the day on which it came, not from the day on which the conversation began. */
export interface DatedMessage extends Message {
	/** In epoch milliseconds. */
	readonly saidAt: number;
}

export interface Conversation {
	/** The client's id of the conversation, stored as the document's `customId`. */
	readonly id: string;
	readonly messages: readonly Message[];
	/** As in `AddRequest`. */
	readonly containerTags: readonly string[];
	readonly metadata: Metadata;
	readonly entityContext?: string;
	/** The id of the API key that sends it. */
	readonly writtenBy?: string;
}

/** Adds the new messages to the conversation's document, or creates the document. */
export async function converse(conversation: Conversation, organisation: OrganisationId, tenant: TenantStore, world: World): Promise<Document> {
	if (connectionOf(conversation.id) !== null || parentOf(conversation.id) !== null)
		throw fail("INPUT_INVALID", "conversationId: documents of connections, and those inside of others, are named like this");
	const existing = await findByCustomId(conversation.id, conversation.containerTags, tenant.documents);
	const withText = existing?.isTextLeftOut ? await tenant.documents.get(existing.id) : existing;
	const { id, containerTags, metadata, entityContext, writtenBy } = conversation;
	const saidAt = statedDateOf(metadata) ?? world.now();
	const messages = joinHistory(withText === null ? [] : messagesOf(withText), conversation.messages, saidAt.getTime());
	const entityContextField = entityContext === undefined ? {} : { entityContext };
	const content = { kind: "text", text: JSON.stringify(messages.map(toStored)), mediaType: chatType } as const;
	return receive(
		{
			content,
			customId: id,
			containerTags,
			metadata,
			filepath: existing?.filepath ?? null,
			taskType: null,
			dreaming: existing?.dreaming ?? "dynamic",
			...entityContextField,
			...(writtenBy !== undefined && { writtenBy }),
		},
		organisation,
		tenant,
		world,
	);
}

const chatType = "application/x-chat+json";

export function isConversation({ content }: Pick<Document, "content">): boolean {
	return content.kind === "text" && content.mediaType === chatType;
}

/**
 * Joins the stored messages with those that were sent. Messages at the end of the stored ones that are sent again are not repeated. If
 * the sent history begins with the same message and is not shorter, it replaces the stored one, since it may have been edited.
 *
 * @param saidAt the time of messages that are not stored yet, in epoch milliseconds
 */
export function joinHistory(old: readonly DatedMessage[], sent: readonly Message[], saidAt: number): readonly DatedMessage[] {
	const dated = (messages: readonly Message[]) => messages.map((message) => ({ ...message, saidAt }));
	if (old.length > 0 && sent.length >= old.length && isEqual(old[0], sent[0]))
		return sent.map((message, i) => ({ ...message, saidAt: old[i]?.saidAt ?? saidAt }));
	for (let start = 0; start < old.length; start++) {
		const overlap = Math.min(old.length - start, sent.length);
		const isEnd = start === 0 || overlap === old.length - start;
		if (isEnd && old.slice(start, start + overlap).every((message, i) => isEqual(message, sent[i]))) return [...old, ...dated(sent.slice(overlap))];
	}
	return [...old, ...dated(sent)];
}

function isEqual(first: Message | undefined, second: Message | undefined): boolean {
	return first?.role === second?.role && first?.name === second?.name && first?.content === second?.content;
}

/** The stored messages; none when the document was created in another way. */
function messagesOf({ content, createdAt }: Document): readonly DatedMessage[] {
	if (content.kind !== "text" || content.mediaType !== chatType) return [];
	const stored: unknown = JSON.parse(content.text);
	return Array.isArray(stored) ? stored.flatMap((message) => messageFrom(message, createdAt)) : [];
}

/** A message that was stored before its time was noted has the time of the first one, from which its days were counted until now. */
function messageFrom(value: unknown, createdAt: Date): readonly DatedMessage[] {
	if (typeof value !== "object" || value === null || !("role" in value) || !("content" in value)) return [];
	const name = "name" in value && typeof value.name === "string" ? value.name : null;
	const stored = "timestamp" in value && typeof value.timestamp === "string" ? Date.parse(value.timestamp) : Number.NaN;
	const saidAt = Number.isNaN(stored) ? createdAt.getTime() : stored;
	return [{ role: String(value.role), name, content: String(value.content), saidAt }];
}

/** The message in the form that the extractor of chats reads. It takes small numbers for seconds, so the time is written out. */
function toStored({ role, name, content, saidAt }: DatedMessage): Readonly<Record<string, string>> {
	return { role, ...(name !== null && { name }), content, timestamp: new Date(saidAt).toISOString() };
}
