/**
 * A small Gmail: sign-in, labels, threads, raw messages and the history of a mailbox, as
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1 and https://developers.google.com/workspace/gmail/api/guides/sync
 * describe them (read in November 2026).
 */

import { type LocalPeer, type PeerReply, type PeerRequest, startLocalPeer } from "./local-peer.ts";
import { createOAuthPeer, type OAuthPeer } from "./oauth-peer.ts";

export interface PeerMail {
	threadId: string;
	labelIds: string[];
	subject: string;
	from: string;
	body: string;
	/** Milliseconds. */
	sentAt: number;
	/** The whole mail in place of the one made of subject, sender and body. */
	raw?: string;
}

export interface GmailPeer extends LocalPeer {
	readonly oauth: OAuthPeer;
	address: string;
	/** Messages by id. */
	readonly mails: Map<string, PeerMail>;
	/** Labels of the account's own: names by id. */
	readonly labels: Map<string, string>;
	/** The largest page of any list. */
	pageMax: number;
	/** Adds a message, in a thread of its own unless it is told; a record of the history says so. */
	readonly add: (id: string, mail?: Partial<PeerMail>) => void;
	/** Deletes it for good. */
	readonly remove: (id: string) => void;
	readonly label: (id: string, change: { readonly add?: readonly string[]; readonly remove?: readonly string[] }) => void;
	/** Makes history ids that were given out until now too old. */
	readonly forgetHistory: () => void;
}

interface HistoryRecord {
	readonly id: number;
	readonly body: Readonly<Record<string, unknown>>;
}

const systemLabels = ["INBOX", "SENT", "DRAFT", "SPAM", "TRASH", "CHAT", "UNREAD", "STARRED", "IMPORTANT", "CATEGORY_PROMOTIONS"];

export async function startGmailPeer(mails: Readonly<Record<string, Partial<PeerMail>>> = {}): Promise<GmailPeer> {
	const mailbox = new Mailbox();
	const local = await startLocalPeer((request) => answerTo(request, peer, mailbox));
	const peer: GmailPeer = Object.assign(local, {
		oauth: createOAuthPeer({
			authorize: "/o/oauth2/v2/auth",
			token: "/token",
			revoke: "/revoke",
			isOffline: (query) => query.get("access_type") === "offline" && query.get("prompt") === "consent",
		}),
		address: "ada@example.com",
		mails: mailbox.mails,
		labels: new Map<string, string>(),
		pageMax: 500,
		add: (id: string, mail: Partial<PeerMail> = {}) => {
			mailbox.mails.set(id, { ...mailOf(id), ...mail });
			mailbox.tell(id, (message) => ({ messagesAdded: [{ message }] }));
		},
		remove: (id: string) => {
			mailbox.tell(id, ({ labelIds: _labelIds, ...message }) => ({ messagesDeleted: [{ message }] }));
			mailbox.mails.delete(id);
		},
		label: (id: string, { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] }) => {
			const mail = mailbox.mails.get(id) ?? mailOf(id);
			mailbox.mails.set(id, { ...mail, labelIds: [...new Set([...mail.labelIds.filter((one) => !remove.includes(one)), ...add])] });
			if (add.length > 0) mailbox.tell(id, (message) => ({ labelsAdded: [{ message, labelIds: add }] }));
			if (remove.length > 0) mailbox.tell(id, (message) => ({ labelsRemoved: [{ message, labelIds: remove }] }));
		},
		forgetHistory: () => mailbox.forget(),
	});
	for (const [id, mail] of Object.entries(mails)) peer.add(id, mail);
	return peer;
}

const mailOf = (id: string): PeerMail => ({
	...{ threadId: `thread-${id}`, labelIds: ["INBOX"], subject: `Subject of ${id}`, from: "Ada <ada@example.com>", body: `words of ${id}` },
	sentAt: Date.parse("2026-03-01T10:00:00Z"),
});

export function rawMail({ subject, from, body, sentAt, raw }: PeerMail): string {
	const headers = [`From: ${from}`, "To: ben@example.com", `Subject: ${subject}`, `Date: ${new Date(sentAt).toUTCString()}`, "MIME-Version: 1.0"];
	return raw ?? `${headers.join("\r\n")}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body}\r\n`;
}

class Mailbox {
	readonly mails = new Map<string, PeerMail>();
	readonly #records: HistoryRecord[] = [];
	readonly #historyIds = new Map<string, number>();
	#at = 1_000;
	#oldest = 0;

	tell(id: string, bodyOf: (message: { id: string; threadId: string; labelIds: string[] }) => Readonly<Record<string, unknown>>): void {
		const { threadId, labelIds } = this.mails.get(id) ?? mailOf(id);
		// History ids grow with gaps in between.
		this.#at += 7;
		this.#historyIds.set(threadId, this.#at);
		this.#records.push({ id: this.#at, body: { messages: [{ id, threadId }], ...bodyOf({ id, threadId, labelIds }) } });
	}

	/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list: typically valid for a week, at times for a few hours. */
	forget(): void {
		this.#at += 7;
		this.#oldest = this.#at;
	}

	get now(): number {
		return this.#at;
	}

	/** Null for an id that is invalid or too old. */
	since(id: string): readonly HistoryRecord[] | null {
		const from = Number(id);
		return /^\d+$/.test(id) && from >= this.#oldest && from <= this.#at ? this.#records.filter((record) => record.id > from) : null;
	}

	historyIdOf(threadId: string): string {
		return String(this.#historyIds.get(threadId) ?? 0);
	}

	thread(threadId: string): readonly (readonly [string, PeerMail])[] {
		return [...this.mails].filter(([, mail]) => mail.threadId === threadId).toSorted(([, a], [, b]) => a.sentAt - b.sentAt);
	}
}

function answerTo({ method, path, headers, body }: PeerRequest, peer: GmailPeer, mailbox: Mailbox): PeerReply {
	const url = new URL(path, peer.origin);
	const signIn = peer.oauth.answer(method, url, body);
	if (signIn !== null) return { status: signIn.status, headers: { "content-type": "application/json", ...signIn.headers }, body: JSON.stringify(signIn.body) };
	const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
	if (!peer.oauth.isAccepted(token)) return gmailRefusal(401, "authError", "Request had invalid authentication credentials.");
	const [kind = "", id = ""] = url.pathname.replace("/gmail/v1/users/me/", "").split("/").map(decodeURIComponent);
	const query = url.searchParams;
	if (kind === "profile") return ok({ emailAddress: peer.address, messagesTotal: mailbox.mails.size, historyId: String(mailbox.now) });
	if (kind === "labels") return labelsReply(peer);
	if (kind === "history") return historyReply(query, peer, mailbox);
	if (kind === "threads") return id === "" ? threadsReply(query, peer, mailbox) : threadReply(id, query, mailbox);
	const mail = kind === "messages" ? mailbox.mails.get(id) : undefined;
	if (mail === undefined) return gmailRefusal(404, "notFound", "Requested entity was not found.");
	return ok({ ...shown(id, mail), ...(query.get("format") === "raw" && { raw: Buffer.from(rawMail(mail)).toString("base64url") }) });
}

const shown = (id: string, { threadId, labelIds, sentAt, ...mail }: PeerMail) => ({
	...{ id, threadId, labelIds, internalDate: String(sentAt), sizeEstimate: rawMail({ threadId, labelIds, sentAt, ...mail }).length },
});

function labelsReply({ labels }: GmailPeer): PeerReply {
	const own = [...labels].map(([id, name]) => ({ id, name, type: "user" }));
	return ok({ labels: [...systemLabels.map((id) => ({ id, name: id, type: "system" })), ...own] });
}

/** https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads/list: threads of spam and bin only where they are asked for. */
function threadsReply(query: URLSearchParams, peer: GmailPeer, mailbox: Mailbox): PeerReply {
	const wanted = query.getAll("labelIds");
	const known = [...systemLabels, ...peer.labels.keys()];
	const unknown = wanted.find((label) => !known.includes(label));
	if (unknown !== undefined) return gmailRefusal(400, "invalidArgument", `Invalid label: ${unknown}`);
	// Of Gmail's search, https://support.google.com/mail/answer/7190, these words alone.
	const left = ["SPAM", "TRASH", ...(query.get("q") === "-in:drafts" ? ["DRAFT"] : [])];
	const matching = [...mailbox.mails.values()].filter(
		({ labelIds }) => !left.some((label) => labelIds.includes(label)) && wanted.every((label) => labelIds.includes(label)),
	);
	const newest = new Map<string, number>();
	for (const { threadId, sentAt } of matching) newest.set(threadId, Math.max(sentAt, newest.get(threadId) ?? 0));
	const threads = [...newest].toSorted(([, a], [, b]) => b - a).map(([id]) => ({ id, snippet: "", historyId: mailbox.historyIdOf(id) }));
	return ok(page("threads", threads, query, peer));
}

/** With `metadata` a message has only the headers that are asked for. */
function threadReply(id: string, query: URLSearchParams, mailbox: Mailbox): PeerReply {
	const mails = mailbox.thread(id);
	if (mails.length === 0) return gmailRefusal(404, "notFound", "Requested entity was not found.");
	const names = query.getAll("metadataHeaders").map((name) => name.toLowerCase());
	const messages = mails.map(([messageId, mail]) => {
		const [head = ""] = rawMail(mail).split("\r\n\r\n", 1);
		const headers = [...head.matchAll(/^([\w-]+): (.*)$/gm)].map(([, name = "", value = ""]) => ({ name, value }));
		const asked = headers.filter(({ name }) => names.includes(name.toLowerCase()));
		return { ...shown(messageId, mail), ...(query.get("format") === "metadata" && { payload: { mimeType: "text/plain", headers: asked } }) };
	});
	return ok({ id, historyId: mailbox.historyIdOf(id), messages });
}

/** Records that are newer than the id, the oldest first; without any, `history` is left out. */
function historyReply(query: URLSearchParams, peer: GmailPeer, mailbox: Mailbox): PeerReply {
	const since = mailbox.since(query.get("startHistoryId") ?? "");
	if (since === null) return gmailRefusal(404, "notFound", "Requested entity was not found.");
	const history = since.map(({ id, body }) => ({ id: String(id), ...body }));
	return ok({ ...page("history", history, query, peer), historyId: String(mailbox.now) });
}

function page(name: string, all: readonly unknown[], query: URLSearchParams, { pageMax }: GmailPeer): object {
	const [size, from] = [Math.min(Number(query.get("maxResults") ?? 100), pageMax), Number(query.get("pageToken") ?? 0)];
	return {
		...(all.length > 0 && { [name]: all.slice(from, from + size) }),
		...(from + size < all.length && { nextPageToken: String(from + size) }),
	};
}

function ok(body: object): PeerReply {
	return { status: 200, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(body) };
}

/** https://developers.google.com/workspace/gmail/api/guides/handle-errors */
export function gmailRefusal(status: number, reason: string, message = "Troubled", headers: Readonly<Record<string, string>> = {}): PeerReply {
	const body = { error: { code: status, message, errors: [{ domain: "global", reason, message }] } };
	return { status, headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body: JSON.stringify(body) };
}
