import { afterEach, describe, expect, test } from "bun:test";
import { type Cursor, type Log, limits } from "cairn-memory";
import gmail from "../../../plugins/connectors/gmail/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { startExtractors } from "../../doubles/extractor-host.ts";
import { type GmailPeer, gmailRefusal, type PeerMail, startGmailPeer } from "../../doubles/gmail-peer.ts";
import type { PeerReply } from "../../doubles/local-peer.ts";
import { attempt, callbackOf, redirectUri, signIn, signInOf } from "../../doubles/sign-in.ts";
import { createStep } from "../../doubles/step.ts";
import { refusalOf, syncOnce } from "./sync-once.ts";

const peers: GmailPeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(mails: Readonly<Record<string, Partial<PeerMail>>> = {}): Promise<GmailPeer> {
	const peer = await startGmailPeer(mails);
	peers.push(peer);
	return peer;
}

const pluginFor = ({ origin, oauth: { clientId, clientSecret } }: GmailPeer) => gmail({ clientId, clientSecret, endpoint: origin });

/** A connector to which somebody has signed in. */
async function connect(peer: GmailPeer) {
	const host = createConnectorHost([peer.host]);
	const connector = await startConnector(pluginFor(peer), host);
	const accessToken = await signIn(connector);
	const sync = (metadata: Readonly<Record<string, unknown>> = {}, cursor: Cursor | null = null, documentsMax = 1_000) =>
		syncOnce(connector, { metadata, cursor, documentsMax, accessToken });
	return { connector, accessToken, sync, pauses: host.pauses };
}

async function scene() {
	const peer = await startGmailPeer({ tides: {}, boats: {}, ropes: {} });
	const { accessToken } = await connect(peer);
	return {
		start: (log: Log) => startConnector(pluginFor(peer), createConnectorHost([peer.host], log)),
		accessToken,
		metadata: {},
		nonsense: [
			{ metadata: { labels: "a/b" }, key: "labels" },
			{ metadata: { labels: 7 }, key: "labels" },
			{ metadata: { labels: Array.from({ length: 101 }, (_, i) => `Label_${i}`) }, key: "labels" },
		],
		refused: null,
		there: () => new Map([...peer.mails.values()].map(({ threadId, body }) => [threadId, body] as const)),
		change: async () => {
			peer.add("again", { threadId: "thread-tides", body: "other words of tides", sentAt: Date.parse("2026-04-01T10:00:00Z") });
			peer.add("nets");
			peer.remove("boats");
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

const options = { clientId: "client", clientSecret: "secret-of-the-client" };
for (const contractTest of [...pluginContract(() => gmail(options)), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

test("the link asks for reading mail and for a refresh token; the account is the address", async () => {
	const peer = await open();
	peer.address = "Ada@Example.com";
	const connector = await startConnector(pluginFor(peer), createConnectorHost([peer.host]));
	const { searchParams, pathname } = new URL(await signInOf(connector).begin(attempt));
	expect([pathname, Object.fromEntries(searchParams)]).toEqual([
		"/o/oauth2/v2/auth",
		expect.objectContaining({
			...{ client_id: peer.oauth.clientId, redirect_uri: redirectUri, scope: "https://www.googleapis.com/auth/gmail.readonly" },
			...{ access_type: "offline", prompt: "consent", code_challenge_method: "S256" },
		}),
	]);
	const { account } = await signInOf(connector).finish(attempt, await callbackOf(connector), createStep());
	expect(account).toEqual({ id: "ada@example.com", address: "Ada@Example.com" });
});

describe("threads", () => {
	const ben = "Ben <ben@example.com>";
	const talk = {
		first: { threadId: "talk", labelIds: ["INBOX", "UNREAD", "Label_1"], subject: "High water" },
		second: { threadId: "talk", labelIds: ["SENT"], subject: "Re: High water", from: ben, body: "From six on.", sentAt: Date.parse("2026-03-02T08:00:00Z") },
		draft: { threadId: "talk", labelIds: ["DRAFT"], body: "never sent" },
	};

	test("a thread is a mailbox with its messages in order, without drafts, spam and what is in the bin", async () => {
		const peer = await open({ ...talk, junk: { labelIds: ["SPAM"] }, gone: { labelIds: ["TRASH"] }, draftOnly: { labelIds: ["DRAFT"] } });
		peer.labels.set("Label_1", "Harbour");
		const { puts } = await (await connect(peer)).sync();
		expect(puts).toEqual([
			{
				key: "talk",
				content: {
					kind: "file",
					bytes: expect.anything(),
					fileName: "thread.mbox",
					claimedMediaType: "application/mbox",
					charset: null,
					address: null,
				} as never,
				title: "High water",
				metadata: {
					...{ author: "Ada <ada@example.com>", people: `Ada <ada@example.com>, ${ben}`, messages: 2, labels: "Harbour, INBOX, SENT" },
					...{ createdAt: "2026-03-01T10:00:00.000Z", updatedAt: "2026-03-02T08:00:00.000Z", url: "https://mail.google.com/mail/#all/talk" },
				},
				containerTag: null,
			},
		]);
	});

	test("the mail reader reads it: who, when and what of each message, and attachments as documents of their own", async () => {
		const boundary = ["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"', "", "--b"].join("\r\n");
		const text = "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nSee the caf=E9 chart.\r\n--b";
		const file = 'Content-Type: application/pdf; name="chart.pdf"\r\nContent-Disposition: attachment; filename="chart.pdf"\r\n\r\n%PDF-1.4\r\n--b--\r\n';
		const raw = `From: Ada <ada@example.com>\r\nSubject: High water\r\nMessage-ID: <1@example.com>\r\n${boundary}\r\n${text.replace("8bit", "quoted-printable")}\r\n${file}`;
		const peer = await open({ ...talk, first: { ...talk.first, raw } });
		const [item] = (await (await connect(peer)).sync()).puts;
		const bytes = item?.content.kind === "file" ? item.content.bytes : new Uint8Array();
		const [mail] = await startExtractors((await import("../../../plugins/extractors/mail/index.ts")).default());
		const attachments: string[] = [];
		const step = { ...createStep(), attachment: async ({ path }: { readonly path: string }) => void attachments.push(path) };
		const source = {
			bytes: async () => bytes,
			text: null,
			mediaType: "application/mbox",
			fileName: "thread.mbox",
			charset: null,
			address: null,
			byteLength: bytes.byteLength,
		};
		const extraction = await mail?.extract(source as never, step as never);
		const words = extraction?.blocks.map((block) => JSON.stringify(block)).join("\n") ?? "";
		for (const said of ["Ada <ada@example.com>", "See the café chart.", ben, "From six on.", "Re: High water"]) expect(words).toContain(said);
		expect([words.includes("never sent"), attachments]).toEqual([false, ["1/chart.pdf"]]);
	});

	test("messages that do not fit are left out and told; the others are read", async () => {
		const peer = await open({
			first: { threadId: "talk" },
			second: { threadId: "talk", body: "x".repeat(limits.fileBytesMax), sentAt: Date.parse("2026-03-02T08:00:00Z") },
		});
		const { puts, warnings } = await (await connect(peer)).sync();
		expect([puts.length, warnings]).toEqual([1, [expect.stringContaining("GMAIL_MESSAGES_TOO_LARGE: 1 messages of a thread are left out")]]);
	});

	test("the largest mail that fits comes whole, though base64 makes it a third longer; one that fits only without the line before it is told", async () => {
		const fits = "x".repeat(limits.fileBytesMax - 1_000);
		const { puts, warnings } = await (await connect(await open({ large: { raw: fits }, larger: { raw: `${fits}${"x".repeat(990)}` } }))).sync();
		const sizes = puts.map(({ key, content }) => [
			key,
			content.kind === "file" && content.bytes.byteLength > fits.length && content.bytes.byteLength <= limits.fileBytesMax,
		]);
		expect([sizes, warnings]).toEqual([[["thread-large", true]], [expect.stringContaining("GMAIL_MESSAGES_TOO_LARGE: 1 messages")]]);
	});

	test("threads that hold only drafts take no places of others", async () => {
		const peer = await open({ first: { sentAt: 1 }, second: { sentAt: 2 }, draft: { labelIds: ["DRAFT"], sentAt: 3 } });
		expect((await (await connect(peer)).sync({}, null, 2)).keys).toEqual(["thread-first", "thread-second"]);
	});

	test("the connection has as many documents as it may, and others take the place of what is gone", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}`, { sentAt: i }])));
		peer.pageMax = 2;
		const { sync } = await connect(peer);
		const first = await sync({}, null, 4);
		// The newest come first.
		expect(first.keys).toEqual(["thread-5", "thread-6", "thread-7", "thread-8"]);
		peer.add("9");
		const second = await sync({}, first.cursor, 4);
		peer.remove("6");
		const third = await sync({}, second.cursor, 4);
		const fourth = await sync({}, third.cursor, 4);
		expect([second.keys, second.removed, third.removed, [...third.keys, ...fourth.keys].length]).toEqual([[], [], ["thread-6"], 1]);
	});
});

describe("changes", () => {
	test("answers, labels, the bin and what is deleted are told by the history, without listing again", async () => {
		const peer = await open({ a: {}, b: {}, c: {}, d: {}, e: {}, spam: { labelIds: ["SPAM"] } });
		peer.pageMax = 2;
		const { sync } = await connect(peer);
		const { cursor } = await sync();
		peer.asked.length = 0;
		peer.add("answer", { threadId: "thread-a" });
		peer.label("b", { add: ["STARRED"], remove: ["INBOX"] });
		// Only read, and sorted by Gmail: that says nothing new.
		peer.label("c", { add: ["IMPORTANT", "CATEGORY_PROMOTIONS"], remove: ["UNREAD"] });
		peer.label("d", { add: ["TRASH"] });
		peer.remove("e");
		peer.add("f");
		peer.add("draft", { labelIds: ["DRAFT"] });
		peer.label("spam", { add: ["INBOX"], remove: ["SPAM"] });
		const after = await sync({}, cursor);
		expect([after.keys, after.removed]).toEqual([
			["thread-a", "thread-b", "thread-f", "thread-spam"],
			["thread-d", "thread-e"],
		]);
		expect(peer.asked.filter((path) => path.includes("/threads?") || path.includes("thread-c"))).toEqual([]);
		peer.label("d", { remove: ["TRASH"] });
		expect((await sync({}, after.cursor)).keys).toEqual(["thread-d"]);
	});

	test("a history that Gmail no longer has makes it list again, which brings only what changed", async () => {
		const peer = await open({ a: {}, b: {}, c: {} });
		const { sync } = await connect(peer);
		const { cursor } = await sync();
		peer.add("answer", { threadId: "thread-b" });
		peer.remove("c");
		peer.forgetHistory();
		const after = await sync({}, cursor);
		peer.add("d");
		expect([after.keys, after.removed, (await sync({}, after.cursor)).keys]).toEqual([["thread-b"], ["thread-c"], ["thread-d"]]);
	});

	test("a label with another name is read again where it is", async () => {
		const peer = await open({ a: { labelIds: ["INBOX", "Label_1"] }, b: {} });
		peer.labels.set("Label_1", "Harbour");
		const { sync } = await connect(peer);
		const { cursor } = await sync();
		peer.labels.set("Label_1", "Port");
		const { puts } = await sync({}, cursor);
		expect(puts.map(({ key, metadata }) => [key, metadata["labels"]])).toEqual([["thread-a", "INBOX, Port"]]);
	});
});

describe("chosen labels", () => {
	test("only threads with one of them are read; one that gets it comes, one that loses it goes", async () => {
		const peer = await open({ a: { labelIds: ["Label_1"] }, b: { labelIds: ["Label_2"] }, c: {} });
		peer.labels.set("Label_1", "Harbour").set("Label_2", "Boats").set("Label_3", "Ropes");
		const { sync } = await connect(peer);
		const labels = { labels: "Label_1, Label_2" };
		const first = await sync(labels);
		peer.label("a", { remove: ["Label_1"] });
		peer.label("c", { add: ["Label_2"] });
		const second = await sync(labels, first.cursor);
		expect([first.keys, second.keys, second.removed]).toEqual([["thread-a", "thread-b"], ["thread-c"], ["thread-a"]]);
		const other = await sync({ labels: "INBOX" }, second.cursor);
		expect([other.keys, other.removed]).toEqual([[], ["thread-b"]]);
	});

	test("one that is no longer there is told, and keeps none of the others", async () => {
		const peer = await open({ a: { labelIds: ["Label_1"] }, b: { labelIds: ["Label_2"] } });
		peer.labels.set("Label_1", "Harbour");
		const { sync } = await connect(peer);
		const { keys, warnings } = await sync({ labels: "Label_1, Label_2" });
		expect([keys, warnings]).toEqual([["thread-a"], ["GMAIL_LABEL_MISSING: there is no label Label_2 any more"]]);
		expect((await sync({ labels: "Label_2" })).keys).toEqual([]);
	});

	test("they are listed and chosen", async () => {
		const peer = await open();
		peer.labels.set("Label_1", "Harbour");
		const { connector, accessToken } = await connect(peer);
		const list = (page: number) => connector.resources?.list(connector.configure({}, 10), { page, perPage: 5, parent: null }, { ...createStep(), accessToken });
		expect([await list(1), await list(2)]).toEqual([
			{ resources: ["INBOX", "SENT", "STARRED", "IMPORTANT", "CATEGORY_PROMOTIONS"].map((id) => ({ id, name: id, type: "system" })), total: 6 },
			{ resources: [{ id: "Label_1", name: "Harbour", type: "user" }], total: 6 },
		]);
		expect(connector.resources?.choose(connector.configure({}, 10), [{ id: "Label_1" }])).toEqual({ labels: ["Label_1"], documentsMax: 10 });
		expect((await refusalOf(() => connector.resources?.choose(connector.configure({}, 10), [{ name: "Harbour" }]))).code).toBe("CONNECTION_INVALID");
	});
});

describe("trouble", () => {
	test("a quota is waited out, longer each time; a longer pause ends the sync, which loses nothing", async () => {
		const peer = await open({ a: {} });
		const { sync, pauses } = await connect(peer);
		let left = 2;
		peer.trouble = ({ path }) => (path.includes("/messages/") && left-- > 0 ? gmailRefusal(left === 1 ? 429 : 403, "userRateLimitExceeded") : null);
		expect([(await sync()).keys, pauses.length, (pauses[1] ?? 0) >= 2_000]).toEqual([["thread-a"], 2, true]);
		peer.trouble = ({ path }) => (path.includes("/messages/") ? gmailRefusal(403, "rateLimitExceeded", "Quota", { "retry-after": "600" }) : null);
		const refusal = await refusalOf(() => sync());
		expect([refusal.code, refusal.retryAfterMs]).toEqual(["ADDRESS_FAILED", 600_000]);
	});

	const emptied = (part: string, reply: PeerReply) => (peer: GmailPeer) => {
		peer.trouble = ({ path }) => (path.includes(part) ? reply : null);
	};
	test.each([
		["a list of threads", emptied("/threads?", gmailRefusal(404, "notFound"))],
		["a later page of it", emptied("pageToken=2", gmailRefusal(410, "deleted"))],
		["a list of labels", emptied("/labels", gmailRefusal(404, "notFound"))],
		["any label", emptied("/labels", { status: 200, body: "{}" })],
	])("an answer without %s removes nothing, and is told", async (_name, trouble) => {
		const peer = await open({ a: {}, b: {}, c: {} });
		peer.pageMax = 2;
		const { sync } = await connect(peer);
		const chosen = { labels: "INBOX" };
		const first = await sync(chosen);
		peer.forgetHistory();
		trouble(peer);
		expect((await refusalOf(() => sync(chosen, first.cursor))).code).toBe("ADDRESS_CHANGED");
		peer.trouble = null;
		expect((await sync(chosen, first.cursor)).removed).toEqual([]);
	});

	test("a message that fails for good keeps none of the other threads, and is tried again", async () => {
		const peer = await open(Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`${i}`, {}])));
		const { sync } = await connect(peer);
		peer.trouble = ({ path }) => (path.includes("/messages/3?") ? gmailRefusal(500, "backendError") : null);
		const first = await sync();
		expect([first.keys.length, first.warnings]).toEqual([6, [expect.stringContaining("GMAIL_THREAD_FAILED")]]);
		peer.trouble = null;
		expect((await sync({}, first.cursor)).keys).toEqual(["thread-3"]);
	});

	test("an account whose organisation forbids it, a service that is not enabled and a revoked sign-in are told as that", async () => {
		const peer = await open({ a: {} });
		const { sync } = await connect(peer);
		const codes: string[] = [];
		for (const reason of ["domainPolicy", "accessNotConfigured"]) {
			peer.trouble = ({ path }) => (path.includes("/gmail/v1/") ? gmailRefusal(403, reason) : null);
			codes.push((await refusalOf(() => sync())).code);
		}
		peer.trouble = null;
		peer.oauth.expireTokens();
		expect((await sync()).keys).toEqual(["thread-a"]);
		peer.oauth.revokeAll();
		codes.push((await refusalOf(() => sync())).code);
		expect(codes).toEqual(["CONNECTION_FORBIDDEN", "CONNECTION_CLIENT_REFUSED", "CONNECTION_UNAUTHORIZED"]);
	});
});
