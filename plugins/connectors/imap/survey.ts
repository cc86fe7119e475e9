/** Looks into each mailbox: which mails are there, and which of them are new. A mail in several mailboxes is one. */

import { createHash } from "node:crypto";
import { fail, limits, ServiceError, type Step } from "cairn-memory";
import type { FetchMessageObject, ImapFlow, MailboxObject } from "imapflow";
import type { Listing } from "../sync-listing.ts";
import type { ImapConfig } from "./config.ts";
import { type FollowedMailbox, type FollowedMailboxes, listMailboxes, wantedMailboxes } from "./mailboxes.ts";
import type { ImapSession } from "./session.ts";

export interface Place {
	readonly path: string;
	readonly uidValidity: string;
	readonly uid: number;
}

export interface Entry {
	/** At least one. */
	readonly places: readonly Place[];
	/** A mail never changes; where it lies may. */
	readonly version: string;
}

/**
 * Mails whose keys the cursor holds, the newest of each mailbox: these in all together, and as many again in equal shares. While mailboxes are
 * looked through, some are as they were before, so there may be half as many more: 12 MB of the 16 that a cursor may have.
 */
const mailsMax = 80_000;
/** As long as from one sync to the next. All attempts of one, and what a kill lets be done again, lie within it. */
const refusedNewlyMs = 60 * 60_000;
/** A mailbox that nobody has looked into yet. */
const unseen: FollowedMailbox = { uidValidity: "", uidNext: 0, modseq: "", exists: 0, mails: new Map(), isPartial: true, former: [] };
/** Mails that are asked for at once. */
const mailsPerFetch = 200;

export interface Followed {
	/** In milliseconds. */
	readonly now: number;
	/** What is known of a mailbox. */
	readonly before: (path: string) => FollowedMailbox | undefined;
	/** Forgets all other mailboxes. */
	readonly only: (paths: readonly string[]) => void;
	/** Is told of each mailbox as far as it has been looked into, so that a later attempt goes on there. */
	readonly keep: (path: string, mailbox: FollowedMailbox) => Promise<void>;
}

export async function survey(
	config: ImapConfig,
	followed: Followed,
	known: ReadonlyMap<string, string>,
	session: ImapSession,
	step: Step,
): Promise<{ readonly listing: Listing<Entry>; readonly mailboxes: FollowedMailboxes }> {
	const wanted = wantedMailboxes(await listMailboxes(session), config);
	for (const path of config.mailboxes.filter((name) => !wanted.some((mailbox) => mailbox.path === name)))
		step.warn("IMAP_MAILBOX_MISSING", `there is no mailbox ${JSON.stringify(path)} any more`);
	followed.only(wanted.map(({ path }) => path));
	const mailboxes = new Map<string, FollowedMailbox>();
	const unsure = new Set<string>();
	let [left, tooLarge, isPartial, isSure] = [mailsMax, 0, false, true];
	for (const [done, { path }] of wanted.entries()) {
		step.progress({ done, total: wanted.length, unit: "mailbox" });
		// A share for each, so that no mailbox is left without its new mails by those before it.
		const most = Math.min(config.documentsMax, Math.max(left, Math.ceil(mailsMax / wanted.length)));
		const { now, before, keep } = followed;
		const followable = { now, before: () => before(path), keep: (mailbox: FollowedMailbox) => keep(path, mailbox), known, most };
		const found = await follow(path, followable, session, step);
		mailboxes.set(path, found.mailbox);
		left = Math.max(0, left - found.mailbox.mails.size);
		tooLarge += found.tooLarge;
		isPartial ||= found.leavesOut;
		for (const key of found.mailbox.former ?? []) unsure.add(key);
		if (found.mailbox.former === null || found.isNewlyRefused) isSure = false;
	}
	if (tooLarge > 0) step.warn("IMAP_MAILS_TOO_LARGE", `${tooLarge} mails are left out: they have more than ${limits.fileBytesMax} bytes`);
	return { mailboxes, listing: { wanted: entriesOf(mailboxes), isPartial, isGone: (key) => isSure && !unsure.has(key) } };
}

interface Followable extends Pick<Followed, "now"> {
	readonly before: () => FollowedMailbox | undefined;
	readonly keep: (mailbox: FollowedMailbox) => Promise<void>;
	/** Versions of the documents there are, by their keys. */
	readonly known: ReadonlyMap<string, string>;
	/** Mails to look at, besides those that are documents. */
	readonly most: number;
}

/**
 * What cannot be opened stays as it was. A mail that left another mailbox may have come to it, or be one that is not described, so nothing is
 * removed for an hour; where something is refused for ever, it is after that.
 */
async function follow(path: string, followed: Followable, session: ImapSession, step: Step) {
	const refusedFrom = ({ refusedSince = followed.now, ...mailbox }: FollowedMailbox) => ({
		mailbox: { ...mailbox, refusedSince },
		isNewlyRefused: followed.now - refusedSince < refusedNewlyMs,
	});
	try {
		const { mailbox, refused, ...found } = await session.inMailbox(path, (client, mailbox) => lookInto(client, mailbox, followed, session, step));
		for (const [uid, reason] of [...refused].slice(0, 1)) {
			const others = refused.size > 1 ? `, nor were ${refused.size - 1} more` : "";
			step.warn("IMAP_MAIL_FAILED", `the mail with the number (UID) ${uid} in the mailbox ${JSON.stringify(path)} was not read${others}: ${reason}`);
		}
		const { refusedSince: _over, ...now } = mailbox;
		return { ...found, ...(refused.size > 0 ? refusedFrom(mailbox) : { mailbox: now, isNewlyRefused: false }) };
	} catch (thrown) {
		if (!(thrown instanceof ServiceError) || thrown.code !== "ITEM_REFUSED") throw thrown;
		step.warn("IMAP_MAILBOX_FAILED", `the mailbox ${JSON.stringify(path)} was not read: ${thrown.args[1]}`);
		return { ...refusedFrom(followed.before() ?? unseen), tooLarge: 0, leavesOut: false };
	}
}

/** @returns also the mails that the server refuses to describe, with its words. They are asked for again by the next sync. */
async function lookInto(client: ImapFlow, mailbox: MailboxObject, followed: Followable, session: ImapSession, step: Step) {
	const { before: latest, keep, known, most } = followed;
	const before = latest();
	const { uidNext, exists } = mailbox;
	const now = { uidValidity: String(mailbox.uidValidity), uidNext, exists, modseq: String(mailbox.highestModseq ?? "") };
	const same = before?.uidValidity === now.uidValidity ? before : null;
	const refused = new Map<number, string>();
	if (same !== null && isUnchanged(same, now)) return { mailbox: same, refused, tooLarge: 0, leavesOut: false };
	const live = exists === 0 ? [] : await client.search({ deleted: false, draft: false }, { uid: true });
	if (!Array.isArray(live)) throw fail("ITEM_REFUSED", "it", "the server does not tell which mails are in it");
	const keyAt = (uid: number) => same?.mails.get(uid);
	// The newest first.
	const newest = live.toSorted((a, b) => b - a);
	const wanted = newest.filter((uid, at) => at < most || known.has(keyAt(uid) ?? ""));
	const mails = new Map<number, string>();
	const formerly = before === undefined ? [] : formerOf(before, known);
	const had = same === null ? formerly : same.former;
	for (const uid of wanted) if (same?.mails.has(uid) === true) mails.set(uid, keyAt(uid) ?? "");
	// Those among mails that are known were refused before, and come last, so that they keep no others back.
	let [least, greatest] = [Number.POSITIVE_INFINITY, 0];
	for (const uid of mails.keys()) [least, greatest] = [Math.min(least, uid), Math.max(greatest, uid)];
	const isAmongKnown = (uid: number) => uid > least && uid < greatest;
	const unknown = wanted.filter((uid) => !mails.has(uid));
	const fresh = [...unknown.filter((uid) => !isAmongKnown(uid)), ...unknown.filter(isAmongKnown)];
	const since = before?.refusedSince === undefined ? {} : { refusedSince: before.refusedSince };
	let tooLarge = 0;
	for (let from = 0; from < fresh.length; from += mailsPerFetch) {
		step.signal.throwIfAborted();
		const uids = fresh.slice(from, from + mailsPerFetch);
		const refusedBefore = refused.size;
		for await (const mail of describe(uids, refused, client, session)) {
			const isTooLarge = (mail.size ?? 0) > limits.fileBytesMax;
			mails.set(mail.uid, isTooLarge ? "" : keyOf(mail));
			if (isTooLarge) tooLarge += 1;
		}
		// A server that describes none of so many is not asked for thousands one by one.
		if (refused.size - refusedBefore === mailsPerFetch) break;
		if (from + mailsPerFetch < fresh.length) await keep({ ...since, ...now, mails: new Map(mails), isPartial: true, former: without(had, mails) });
	}
	const leavesOut = wanted.length < live.length;
	const isWhole = refused.size === 0;
	const former = isWhole ? [] : without(had, mails);
	return { mailbox: { ...since, ...now, mails, isPartial: leavesOut || !isWhole, former }, refused, tooLarge, leavesOut };
}

/**
 * Asks for what keys are made of. RFC 9051, section 6.4.5, lets a server refuse the whole command where it cannot describe one of the mails: what did
 * not come is then asked for in halves.
 * @param refused gets those that are refused alone, with the words of the server
 */
async function* describe(uids: readonly number[], refused: Map<number, string>, client: ImapFlow, session: ImapSession): AsyncGenerator<FetchMessageObject> {
	const missing = new Set(uids);
	try {
		const items = { uid: true, envelope: true, size: true, internalDate: true };
		for await (const mail of client.fetch(uids.join(","), items, { uid: true })) if (missing.delete(mail.uid)) yield mail;
	} catch (thrown) {
		const { code, args } = session.refusalOf(thrown);
		if (code !== "ITEM_REFUSED") throw thrown;
		const left = [...missing];
		const half = Math.ceil(left.length / 2);
		if (uids.length === 1) for (const uid of left) refused.set(uid, String(args[1]));
		else for (const some of [left.slice(0, half), left.slice(half)]) if (some.length > 0) yield* describe(some, refused, client, session);
	}
}

/** The documents that a mailbox had before all its UIDs meant other mails; null if not all are known. */
function formerOf({ mails, former }: FollowedMailbox, known: ReadonlyMap<string, string>): readonly string[] | null {
	return former === null ? null : [...new Set([...mails.values(), ...former])].filter((key) => known.has(key));
}

function without(keys: readonly string[] | null, mails: ReadonlyMap<number, string>): readonly string[] | null {
	if (keys === null) return null;
	const found = new Set(mails.values());
	return keys.filter((key) => !found.has(key));
}

/** Without mod-sequences a flag may have changed that nothing else tells. */
function isUnchanged(before: FollowedMailbox, now: Omit<FollowedMailbox, "mails" | "isPartial" | "former">): boolean {
	return !before.isPartial && now.modseq !== "" && before.modseq === now.modseq && before.uidNext === now.uidNext && before.exists === now.exists;
}

/**
 * The same for a mail wherever it lies, also after all UIDs were given anew: a server keeps date and size when a mail is moved or copied. The
 * day comes first, so that keys are in the order of time. A `Message-ID` alone could be taken by a forged mail.
 */
function keyOf({ envelope, internalDate, size }: FetchMessageObject): string {
	const at = timeOf(internalDate)?.toISOString() ?? "";
	const said = [envelope?.messageId ?? "", at, size ?? 0, envelope?.subject ?? "", envelope?.from?.[0]?.address ?? ""];
	return `${at.slice(0, 10)}-${createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 22)}`;
}

/** Null for none, and for one that cannot be read: the library leaves it as the text that the server has sent. */
export function timeOf(said: Date | string | undefined): Date | null {
	const time = new Date(said ?? Number.NaN);
	return Number.isNaN(time.getTime()) ? null : time;
}

/** The newest first. */
function entriesOf(mailboxes: FollowedMailboxes): ReadonlyMap<string, Entry> {
	const places = new Map<string, Place[]>();
	for (const [path, { uidValidity, mails }] of mailboxes)
		for (const [uid, key] of mails) if (key !== "") places.set(key, [...(places.get(key) ?? []), { path, uidValidity, uid }]);
	const versionOf = (paths: readonly string[]) => createHash("sha256").update(JSON.stringify(paths.toSorted())).digest("base64url").slice(0, 8);
	const entries = [...places].map(([key, all]) => [key, { places: all, version: versionOf(all.map(({ path }) => path)) }] as const);
	return new Map(entries.toSorted(([a], [b]) => (a < b ? 1 : -1)));
}
