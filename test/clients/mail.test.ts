/** Gmail and IMAP by the npm package `supermemory`, against a small Gmail and a small IMAP server on this machine: faults, changes, a refused sign-in, and another one. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type Supermemory from "supermemory";
import { AuthenticationError } from "supermemory";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { type GmailPeer, gmailRefusal, startGmailPeer } from "../doubles/gmail-peer.ts";
import { type ImapPeer, peerMail, startImapPeer } from "../doubles/imap-peer.ts";
import { type OfficialClient, startOfficialClient, thrownBy } from "../doubles/official-client.ts";
import { until } from "../doubles/until.ts";

const threads = 60;
const crate = (i: number) => `Crate ${i} holds q${i}z.`;
let gmail: GmailPeer;
let imap: ImapPeer;
let official: OfficialClient;
let client: Supermemory;

beforeAll(async () => {
	gmail = await startGmailPeer(Object.fromEntries(Array.from({ length: threads }, (_, i) => [`${i}`, { body: crate(i) }])));
	imap = await startImapPeer({ INBOX: Array.from({ length: threads }, (_, i) => peerMail(`${i}`, { body: crate(i) })), Archive: [] });
	gmail.pageMax = 25;
	official = await startOfficialClient({
		...{ CAIRN_OAUTH_GOOGLE_ID: gmail.oauth.clientId, CAIRN_OAUTH_GOOGLE_SECRET: gmail.oauth.clientSecret, CAIRN_OAUTH_GOOGLE_URL: gmail.origin },
		...{ CAIRN_FETCH_ALLOW: `${imap.host}:${imap.port}`, CAIRN_LOG_LEVEL: "debug" },
	});
	client = official.client;
	gmail.oauth.redirectUris.add(`${official.server.address}/v3/connections/auth/callback/gmail`);
});
afterAll(async () => {
	await official.dispose();
	gmail.close();
	imap.close();
});

/** What a browser does with the link. */
async function browse(authLink: string): Promise<number> {
	const consent = await fetch(authLink, { redirect: "manual" });
	return (await fetch(consent.headers.get("location") ?? "", { redirect: "manual" })).status;
}

interface Found {
	readonly id: string;
	readonly title: string;
	readonly text: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly status: string;
}

async function documents(containerTag: string): Promise<readonly Found[]> {
	const { memories } = await client.documents.list({ containerTags: [containerTag], limit: 1_100, includeContent: true });
	return memories.map(({ id, title, content, status, metadata }) => ({
		id,
		status,
		title: title ?? "",
		text: content ?? "",
		metadata: metadata as Found["metadata"],
	}));
}

/** Waits until the documents are these and no more: each has all words of one, and each one has a document. */
const same = (containerTag: string, there: () => readonly (readonly string[])[]) =>
	until(async () => {
		const [found, wanted] = [await documents(containerTag), there()];
		const isOne = (words: readonly string[], { text }: Found) => words.every((word) => text.includes(word));
		const isSame = wanted.every((words) => found.filter((one) => isOne(words, one)).length === 1) && found.length === wanted.length;
		return isSame && found.every(({ status }) => status === "done") && found;
	});

interface Shown {
	readonly nextSyncAt: string | null;
	readonly lastSyncRun?: { readonly status: string; readonly errorCode?: string };
}

const ended = (id: string, status: string) =>
	until(async () => {
		const connection = (await client.connections.getByID(id)) as unknown as Shown;
		return connection.lastSyncRun?.status === status && connection;
	});
const kept = (before: readonly Found[], after: readonly Found[]) => after.filter(({ id }) => before.some((one) => one.id === id)).length;

test("Gmail: sign in, sync with faults, answer, label, bin, attachment, revoke, sign in again", async () => {
	const there = () => {
		const shown = [...gmail.mails.values()].filter(({ labelIds }) => !labelIds.includes("TRASH"));
		return [...Map.groupBy(shown, ({ threadId }) => threadId).values()].map((mails) => mails.map(({ body }) => body));
	};
	let failures = 3;
	gmail.trouble = ({ path }) => (path.includes("/messages/4") && failures-- > 0 ? gmailRefusal(failures === 1 ? 500 : 403, "userRateLimitExceeded") : null);
	const created = await client.connections.create("gmail", { containerTags: ["mail"] });
	expect([await browse(created.authLink), (await ended(created.id, "completed")).lastSyncRun?.errorCode]).toEqual([200, undefined]);
	const before = await same("mail", there);
	gmail.add("answer", {
		threadId: "thread-0",
		subject: "Re: Subject of 0",
		from: "Ben <ben@example.com>",
		body: "It holds ropes too.",
		sentAt: Date.parse("2026-03-05T10:00:00Z"),
	});
	gmail.labels.set("Label_1", "Harbour");
	gmail.label("1", { add: ["Label_1"] });
	gmail.label("2", { add: ["TRASH"] });
	gmail.remove("3");
	gmail.add("new", { body: "Nets are mended on Sundays." });
	expect(await client.connections.import("gmail", { containerTags: ["mail"] })).toBe("Importing connections...");
	const after = await until(async () => {
		const found = await same("mail", there);
		return found.some(({ metadata }) => String(metadata["labels"]).includes("Harbour")) && found;
	});
	const talk = after.find(({ metadata }) => metadata["messages"] === 2);
	expect(talk).toMatchObject({ title: "Subject of 0", metadata: { people: "Ada <ada@example.com>, Ben <ben@example.com>", source: "gmail" } });
	expect([kept(before, after), after.length]).toEqual([threads - 2, threads - 1]);

	gmail.oauth.revokeAll();
	gmail.add("later", { body: "Ropes are spliced in winter." });
	await client.connections.import("gmail", { containerTags: ["mail"] });
	expect(await ended(created.id, "failed")).toMatchObject({ nextSyncAt: null, lastSyncRun: { errorCode: "auth_expired" } });
	const again = await client.connections.create("gmail", { containerTags: ["mail"] });
	expect([again.id, await browse(again.authLink)]).toEqual([created.id, 200]);
	expect(kept(after, await same("mail", there))).toBe(threads - 1);
});

test("IMAP: a wrong password, sync with faults, new, moved and removed mails, mailboxes that are chosen", async () => {
	const there = () => [...imap.mailboxes.values()].flatMap(({ mails }) => mails.map(({ raw }) => [raw.split("\r\n\r\n")[1]?.trim() ?? ""]));
	const { host, port, username, password } = imap;
	const create = (secret: string) =>
		client.connections.create("imap" as "gmail", { containerTags: ["post"], metadata: { host, port, username, password: secret, tls: false } });
	expect(await thrownBy(create("wrong-password-of-ada"))).toBeInstanceOf(AuthenticationError);
	imap.trouble = (_command, count) => (count === 30 ? "drop" : null);
	const { id } = await create(password);
	await ended(id, "completed");
	const before = await same("post", there);
	imap.add("INBOX", peerMail("new", { body: "Nets are mended on Sundays." }));
	imap.move("INBOX", 1, "Archive");
	imap.remove("INBOX", 2);
	await client.connections.import("imap" as "gmail", { containerTags: ["post"] });
	const after = await until(async () => {
		const found = await same("post", there);
		return found.some(({ metadata }) => metadata["mailboxes"] === "Archive") && found;
	});
	expect([kept(before, after), after.length]).toEqual([threads - 1, threads]);
	const { resources } = await client.connections.resources(id);
	expect(resources.map((one) => (one as { readonly id?: string }).id)).toEqual(["INBOX", "Archive"]);
	await client.connections.configure(id, { resources: [{ id: "Archive" }] });
	expect((await same("post", () => [[crate(0)]])).map(({ title }) => title)).toEqual(["Subject of 0"]);
});

test("no token and no password is told, logged or stored in the clear; deleting ends the sign-in at Google", async () => {
	const { folder, server } = official;
	const connections = await client.connections.list({});
	const told = JSON.stringify([connections, await documents("mail"), server.printed()]);
	const stored = [...(await bytesIn(folder)).values()];
	const secrets = [...gmail.oauth.secrets, imap.password, "wrong-password-of-ada"];
	expect(secrets.filter((secret) => told.includes(secret) || stored.some((bytes) => bytes.includes(secret)))).toEqual([]);
	expect(gmail.oauth.liveGrants()).toBe(1);
	await client.connections.deleteByProvider("gmail", { containerTags: ["mail"] });
	await until(() => gmail.oauth.liveGrants() === 0);
	expect(await documents("mail")).toEqual([]);
});
