/** Reads a mail as a document, as it was sent; the mail reader finds in it what there is to read. */

import { type ConnectorItem, fail, limits } from "cairn-memory";
import type { FetchMessageObject } from "imapflow";
import type { ImapSession } from "./session.ts";
import { type Entry, type Place, timeOf } from "./survey.ts";

/** `source` asks with BODY.PEEK, which marks nothing as read. */
const query = { uid: true, envelope: true, internalDate: true, source: true, headers: ["references"] };

/** Null if it is in none of its places any more. */
export async function readMail(key: string, { places }: Entry, session: ImapSession): Promise<ConnectorItem | null> {
	for (const place of places) {
		const mail = await readAt(place, session);
		if (mail?.source === undefined) continue;
		// A server may have told a size that is too small.
		if (mail.source.byteLength > limits.fileBytesMax) throw fail("ITEM_REFUSED", "it", "it is too large");
		return {
			key,
			content: { kind: "file", bytes: mail.source, fileName: "mail.eml", claimedMediaType: "message/rfc822", charset: null, address: null },
			title: mail.envelope?.subject?.trim() || null,
			metadata: metadataOf(mail, places),
			containerTag: null,
		};
	}
	return null;
}

async function readAt({ path, uidValidity, uid }: Place, session: ImapSession): Promise<FetchMessageObject | null> {
	return session.inMailbox(path, async (client, mailbox) => {
		// Under the same number there may now be another mail. The next sync looks again.
		if (String(mailbox.uidValidity) !== uidValidity) throw fail("ITEM_REFUSED", "it", "the server has given all mails of the mailbox new numbers");
		const mail = await client.fetchOne(String(uid), query, { uid: true });
		return mail === false ? null : mail;
	});
}

function metadataOf({ envelope, internalDate, headers }: FetchMessageObject, places: readonly Place[]): ConnectorItem["metadata"] {
	const from = envelope?.from?.[0];
	const author = [from?.name, from?.address && (from.name ? `<${from.address}>` : from.address)].filter(Boolean).join(" ");
	const sentAt = timeOf(envelope?.date) ?? timeOf(internalDate);
	// The first of the references is the mail with which the conversation began.
	const [began] = /<[^<>\s]{1,500}>/.exec(headers?.toString("latin1") ?? "") ?? [];
	const thread = began ?? envelope?.inReplyTo ?? envelope?.messageId;
	return {
		...(author !== "" && { author }),
		...(sentAt !== null && { createdAt: sentAt.toISOString() }),
		...(thread !== undefined && thread !== "" && { thread }),
		...(envelope?.messageId !== undefined && { messageId: envelope.messageId }),
		mailboxes: [...new Set(places.map(({ path }) => path))].toSorted().join(", "),
	};
}
