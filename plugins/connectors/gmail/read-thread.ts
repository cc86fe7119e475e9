/** Reads a thread as one document: a mailbox file with its messages in order, so that attachments and character sets are read as those of any mail. */

import { type ConnectorItem, limits, type Step } from "cairn-memory";
import { z } from "zod";
import type { GoogleApi } from "../google-api.ts";
import type { GmailConfig } from "./config.ts";
import { isHidden, isState } from "./labels.ts";
import { mailboxPart } from "./mailbox.ts";

const headers = z.array(z.object({ name: z.string(), value: z.string() })).default([]);
const messageSchema = z.object({
	id: z.string(),
	labelIds: z.array(z.string()).default([]),
	/** Milliseconds, as text. */
	internalDate: z.string().default("0"),
	/** Bytes, about. */
	sizeEstimate: z.number().default(0),
	payload: z.object({ headers }).optional(),
});
type Message = z.infer<typeof messageSchema>;
const threadSchema = z.object({ id: z.string(), historyId: z.string(), messages: z.array(messageSchema).default([]) });
const rawSchema = z.object({ raw: z.string() });

export interface ReadThread {
	/** Null if there is nothing of it that should be a document. */
	readonly item: ConnectorItem | null;
	/** The history id as of which it was read. */
	readonly version: string;
}

/** More people than that are not named in the metadata. */
const peopleMax = 50;
/** `metadata` instead of `full`: bodies are read as they were sent. https://developers.google.com/workspace/gmail/api/reference/rest/v1/Format */
const query = { format: "metadata", metadataHeaders: ["Subject", "From"] } as const;

/** @param labels names by id. @returns null if it is no longer there */
export async function readThread(id: string, config: GmailConfig, labels: ReadonlyMap<string, string>, api: GoogleApi, step: Step): Promise<ReadThread | null> {
	const thread = await api.json(`/threads/${id}`, query, threadSchema);
	if (thread === null) return null;
	const messages = thread.messages.filter(({ labelIds }) => !isHidden(labelIds));
	const labelIds = [...new Set(messages.flatMap((message) => message.labelIds))];
	const isWanted = messages.length > 0 && (config.labels.length === 0 || labelIds.some((label) => config.labels.includes(label)));
	const mails = isWanted ? await readMails(messages, api, step) : [];
	if (mails.length === 0) return { item: null, version: thread.historyId };
	const subject = headerOf(messages[0], "subject");
	const names = labelIds.filter((label) => !isState(label)).map((label) => labels.get(label) ?? label);
	return {
		version: thread.historyId,
		item: {
			key: id,
			content: { kind: "file", bytes: Buffer.concat(mails), fileName: "thread.mbox", claimedMediaType: "application/mbox", charset: null, address: null },
			title: subject,
			metadata: { ...metadataOf(messages), ...(names.length > 0 && { labels: names.toSorted().join(", ") }), url: urlOf(id) },
			containerTag: null,
		},
	};
}

/** Messages that do not fit into a document any more are left out. */
async function readMails(messages: readonly Message[], api: GoogleApi, step: Step) {
	const mails: Uint8Array[] = [];
	let [bytesLeft, tooLarge] = [limits.fileBytesMax, 0];
	for (const { id, internalDate, sizeEstimate } of messages) {
		step.signal.throwIfAborted();
		const raw = sizeEstimate > bytesLeft ? null : await api.json(`/messages/${id}`, { format: "raw" }, rawSchema);
		// With the line before it: a mail that fits by itself may not fit into a mailbox.
		const part = raw === null ? null : mailboxPart({ sentAt: new Date(Number(internalDate)), bytes: Buffer.from(raw.raw, "base64url") });
		if (part !== null && part.byteLength <= bytesLeft) {
			mails.push(part);
			bytesLeft -= part.byteLength;
		} else if (part !== null || sizeEstimate > bytesLeft) tooLarge += 1;
	}
	if (tooLarge > 0)
		step.warn("GMAIL_MESSAGES_TOO_LARGE", `${tooLarge} messages of a thread are left out: together it has more than ${limits.fileBytesMax} bytes`);
	return mails;
}

function metadataOf(messages: readonly Message[]): ConnectorItem["metadata"] {
	const [first, last] = [messages[0], messages.at(-1)];
	const people = [...new Set(messages.flatMap((message) => headerOf(message, "from") ?? []))];
	const timeOf = (message: Message | undefined) => new Date(Number(message?.internalDate ?? 0)).toISOString();
	return {
		...(people[0] !== undefined && { author: people[0], people: people.slice(0, peopleMax).join(", ") }),
		messages: messages.length,
		createdAt: timeOf(first),
		updatedAt: timeOf(last),
	};
}

function headerOf(message: Message | undefined, name: string): string | null {
	const value = message?.payload?.headers.find((header) => header.name.toLowerCase() === name)?.value.trim() ?? "";
	return value === "" ? null : value;
}

/** The page for people. Google documents none; this one leads to the thread, of whichever account comes first in the browser. */
function urlOf(id: string): string {
	return `https://mail.google.com/mail/#all/${id}`;
}
