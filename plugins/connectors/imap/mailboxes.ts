/** The mailboxes of an account, and how far each has been followed. */

import { type Cursor, fail } from "cairn-memory";
import { z } from "zod";
import { type ImapConfig, provider } from "./config.ts";
import type { ImapSession } from "./session.ts";

export interface Mailbox {
	readonly path: string;
	/** What it is for, RFC 6154: `\Sent`; null for most. */
	readonly use: string | null;
}

/** Read only where somebody chooses them. */
const hiddenUses: ReadonlySet<string> = new Set(["\\Junk", "\\Trash", "\\Drafts"]);

/** All that can be opened. */
export async function listMailboxes(session: ImapSession): Promise<readonly Mailbox[]> {
	const listed = await session.run((client) => client.list());
	const open = listed.filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent"));
	// RFC 9051 promises an INBOX to everybody. Without this, an answer that was cut would remove all documents.
	if (open.length === 0) throw fail("ADDRESS_CHANGED", provider, "the server lists no mailboxes");
	return open.map(({ path, specialUse }) => ({ path, use: specialUse ?? null }));
}

/** Those that are read: the chosen ones, or all but junk, bin and drafts. */
export function wantedMailboxes(mailboxes: readonly Mailbox[], { mailboxes: chosen }: ImapConfig): readonly Mailbox[] {
	const isWanted = ({ path, use }: Mailbox) => (chosen.length > 0 ? chosen.includes(path) : use === null || !hiddenUses.has(use));
	return mailboxes.filter(isWanted);
}

export interface FollowedMailbox {
	/** Another one means that all UIDs mean other mails, RFC 9051, section 2.3.1.1. */
	readonly uidValidity: string;
	readonly uidNext: number;
	/** RFC 7162: grows with every change; empty where the server has none. */
	readonly modseq: string;
	readonly exists: number;
	/** Keys by UID. An empty one stands for a mail that cannot be a document. */
	readonly mails: ReadonlyMap<number, string>;
	/** Whether there were mails that were not looked at. */
	readonly isPartial: boolean;
	/**
	 * While it is looked through again because all UIDs mean other mails: the documents that it had before, and that were not found yet. Null where
	 * that is not known, from a version of Cairn that did not keep it.
	 */
	readonly former: readonly string[] | null;
	/** Since when the server has not let it be looked into, in milliseconds; absent if it does. */
	readonly refusedSince?: number;
}

export type FollowedMailboxes = ReadonlyMap<string, FollowedMailbox>;

const mailboxSchema = z.object({
	...{ uidValidity: z.string(), uidNext: z.number(), modseq: z.string(), exists: z.number(), isPartial: z.boolean() },
	former: z.array(z.string()).nullable().default(null),
	refusedSince: z.number().exactOptional(),
	mails: z.record(z.string(), z.string()).transform((mails) => new Map(Object.entries(mails).map(([uid, key]) => [Number(uid), key]))),
});
const cursorSchema = z.object({ version: z.literal(1), mailboxes: z.record(z.string(), mailboxSchema) });

export function readMailboxes(cursor: Cursor | null): FollowedMailboxes {
	const { data } = cursorSchema.safeParse(cursor);
	// One that was looked through to its end has none.
	const former = (mailbox: FollowedMailbox) => mailbox.former ?? (mailbox.isPartial ? null : []);
	return new Map(Object.entries(data?.mailboxes ?? {}).map(([path, mailbox]) => [path, { ...mailbox, former: former(mailbox) }]));
}

export function writeMailboxes(mailboxes: FollowedMailboxes): Cursor {
	const all = [...mailboxes].map(([path, { mails, ...more }]) => [path, { ...more, mails: Object.fromEntries(mails) }] as const);
	return { mailboxes: Object.fromEntries(all) };
}
