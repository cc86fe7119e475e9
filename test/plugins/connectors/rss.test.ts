import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { type Change, type Cursor, type Host, type Log, ServiceError } from "cairn-memory";
import rss from "../../../plugins/connectors/rss/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { type Documents, kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { type FeedPeer, type PeerEntry, startFeedPeer } from "../../doubles/feed-peer.ts";
import { faults } from "../../doubles/local-peer.ts";
import { createStep } from "../../doubles/step.ts";
import { endure } from "./endure.ts";
import { syncOnce as syncWith } from "./sync-once.ts";

const peers: FeedPeer[] = [];
afterEach(() => {
	setSystemTime();
	for (const peer of peers.splice(0)) peer.close();
});

async function open(entries: readonly PeerEntry[] = []): Promise<FeedPeer> {
	const peer = await startFeedPeer(entries);
	peers.push(peer);
	return peer;
}

const entry = (id: string | number, words = `words of ${id}`): PeerEntry => ({ id: `${id}`, title: `Entry ${id}`, html: `<p>${words}</p>` });

async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}

async function syncOnce(
	peer: FeedPeer,
	{ cursor = null, documentsMax = 1_000, ...more }: { cursor?: Cursor | null; documentsMax?: number; pages?: boolean } = {},
) {
	const connector = await startConnector(rss(), createConnectorHost([peer.host]));
	const step = createStep();
	const changes: Change[] = [];
	const asked = peer.asked.length;
	for await (const change of connector.sync(connector.configure({ feedUrl: peer.feedUrl, ...more }, documentsMax), cursor, step)) changes.push(change);
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	const after = changes.at(-1)?.cursor();
	return {
		...{ puts, removed, keys: puts.map(({ key }) => key), warnings: step.warnings.map(({ code }) => code), asked: peer.asked.slice(asked) },
		cursor: after === undefined ? cursor : kept(after),
	};
}

const textOf = (item: Awaited<ReturnType<typeof syncOnce>>["puts"][number] | undefined): string =>
	item?.content.kind === "file" ? new TextDecoder().decode(item.content.bytes) : "";

async function scene() {
	const peer = await startFeedPeer([entry("a"), entry("b"), entry("c")]);
	return {
		start: (log: Log) => startConnector(rss(), createConnectorHost([peer.host], log)),
		metadata: { feedUrl: peer.feedUrl },
		nonsense: [
			{ metadata: {}, key: "feedUrl" },
			{ metadata: { feedUrl: "harbour" }, key: "feedUrl" },
			{ metadata: { feedUrl: "file:///etc/passwd" }, key: "feedUrl" },
			{ metadata: { feedUrl: "https://ada:secret-password@harbour.example/feed" }, key: "feedUrl" },
			{ metadata: { feedUrl: peer.feedUrl, pages: "yes" }, key: "pages" },
		],
		refused: null,
		there: () => new Map(peer.entries.map(({ id, html }) => [`urn:x:${id}`, html])),
		change: async () => {
			peer.entries = [entry("d"), entry("a", "other words"), entry("c")];
			peer.deleted.push("b");
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(rss), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("formats", () => {
	test.each(["rss", "rdf", "atom"] as const)("an entry of %s comes with its words, page, author and times", async (format) => {
		const peer = await open([entry("a", "high <b>water</b> at six")]);
		peer.format = format;
		const { puts } = await syncOnce(peer);
		const times = { publishedAt: "2026-03-01T10:00:00.000Z", updatedAt: "2026-03-01T10:00:00.000Z" };
		expect(puts).toMatchObject([
			{
				key: "urn:x:a",
				title: "Entry a",
				content: { kind: "file", claimedMediaType: "text/html", address: `${peer.origin}/entry/a` },
				metadata: { url: `${peer.origin}/entry/a`, author: expect.stringContaining("Ada"), ...times },
			},
		]);
		expect(textOf(puts[0])).toContain("<main><h1>Entry a</h1><p>high <b>water</b> at six</p></main>");
		expect(puts[0]?.metadata["feedTitle"]).toBe(format === "atom" ? "Harbour & news" : "Harbour news");
	});

	/** Each with the page that it comes from. */
	const odd: readonly (readonly [what: string, feed: string, key: string, words: string])[] = [
		[
			"RSS 0.91 without ids: https://www.rssboard.org/rss-0-9-1",
			"<rss version='0.91'><channel><item><link>/one</link><description>one</description></item></channel></rss>",
			"ORIGIN/one",
			"one",
		],
		[
			"a guid that is an address: https://www.rssboard.org/rss-specification",
			"<rss version='2.0'><channel><item><guid>https://harbour.example/p</guid><description>&lt;i&gt;perma&lt;/i&gt;</description></item></channel></rss>",
			"https://harbour.example/p",
			"<i>perma</i>",
		],
		[
			"XHTML inside: RFC 4287, 4.1.3.3",
			`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://harbour.example/b/"><entry><id>x</id><content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml"><h:a href="c" onclick="x()">sea &amp; land</h:a></h:div></content></entry></feed>`,
			"x",
			'<div><a href="https://harbour.example/b/c">sea &amp; land</a></div>',
		],
		[
			"text, not HTML: RFC 4287, 3.1.1.1",
			`<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id><summary>1 &lt; 2</summary></entry></feed>`,
			"x",
			"<p>1 &lt; 2</p>",
		],
		[
			"names of HTML that XML has not, and no end",
			"<rss version='2.0'><channel><item><guid>x</guid><description>caf&eacute;</description></item><item><guid>y",
			"x",
			"caf&eacute;",
		],
		[
			"Atom 0.3",
			`<feed xmlns="http://purl.org/atom/ns#" version="0.3"><entry><id>x</id><content type="text/html">old &lt;b&gt;bold&lt;/b&gt;</content></entry></feed>`,
			"x",
			"old <b>bold</b>",
		],
	];
	test.each(odd)("%s", async (_, feed, key, words) => {
		const peer = await open();
		peer.raw = feed;
		const { puts } = await syncOnce(peer);
		expect(puts.map((item) => item.key)).toEqual([key.replace("ORIGIN", peer.origin)]);
		expect(textOf(puts[0])).toContain(words);
	});

	test("letters of another character set are read", async () => {
		const peer = await open();
		peer.raw = Buffer.from(
			"<?xml version='1.0' encoding='iso-8859-1'?><rss version='2.0'><channel><item><guid>x</guid><title>B\xe4r &amp;amp; Ruder</title></item></channel></rss>",
			"latin1",
		);
		expect((await syncOnce(peer)).puts[0]?.title).toBe("Bär & Ruder");
	});

	test("entities that grow are not expanded, and nothing without end is read", async () => {
		const peer = await open();
		const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};&l${i};">`).join("");
		peer.raw = `<!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}]><rss version="2.0"><channel><item><guid>x</guid><description>&l20;</description></item></channel></rss>`;
		expect(textOf((await syncOnce(peer)).puts[0]).length).toBeLessThan(1_000);
		peer.raw = `<rss version="2.0"><channel>${"<a>".repeat(100_000)}<item><guid>x</guid></item>`;
		expect((await refusalOf(() => syncOnce(peer))).message).toContain("nested too deeply");
	});
});

describe("what changes", () => {
	test.each(["etag", "last-modified"] as const)(
		"by %s an unchanged feed costs one request without a body; an entry that left it stays, and one with other words is read again",
		async (validator) => {
			const peer = await open([entry("a"), entry("b")]);
			peer.validator = validator;
			const first = await syncOnce(peer);
			const second = await syncOnce(peer, first);
			expect([first.keys, second.keys, second.asked]).toEqual([["urn:x:a", "urn:x:b"], [], ["GET /feed.xml"]]);
			peer.entries = [entry("c"), entry("a", "other words")];
			const third = await syncOnce(peer, second);
			expect([third.keys.toSorted(), third.removed]).toEqual([["urn:x:a", "urn:x:c"], []]);
			peer.deleted.push("b");
			expect((await syncOnce(peer, third)).removed).toEqual(["urn:x:b"]);
		},
	);

	test("older pages are read once, later only as far as there is news", async () => {
		const peer = await open(Array.from({ length: 25 }, (_, i) => entry(i)));
		peer.perPage = 5;
		const first = await syncOnce(peer);
		expect([first.keys.length, first.asked.length]).toEqual([25, 5]);
		peer.entries = [entry("new"), ...peer.entries];
		const second = await syncOnce(peer, first);
		expect([second.keys, second.asked]).toEqual([["urn:x:new"], ["GET /feed.xml", "GET /feed.xml?page=2"]]);
	});

	test("the limit holds for all that was ever kept, and new entries never drive out old ones", async () => {
		const peer = await open([entry("a"), entry("b"), entry("c")]);
		const first = await syncOnce(peer, { documentsMax: 2 });
		expect([first.keys, first.warnings]).toEqual([["urn:x:a", "urn:x:b"], ["DOCUMENT_LIMIT_REACHED"]]);
		peer.entries = [entry("d"), entry("b")];
		const second = await syncOnce(peer, { ...first, documentsMax: 2 });
		expect([second.keys, second.removed]).toEqual([[], []]);
		peer.entries.push(entry("e"));
		expect((await syncOnce(peer, { ...second, documentsMax: 1 })).removed).toEqual(["urn:x:a"]);
	});
});

describe("pages", () => {
	test("are read where they are on the feed's own host, and nowhere else", async () => {
		const [peer, other] = [await open([entry("a")]), await open([entry("a", "words of another host")])];
		const first = await syncOnce(peer, { pages: true });
		expect(textOf(first.puts[0])).toContain("Menu of the site");
		const item = (link: string) => `<item><guid isPermaLink="false">${link}</guid><link>${link}</link><description>from the feed</description></item>`;
		peer.raw = `<rss version="2.0"><channel>${item(`${other.origin}/entry/a`)}${item("/entry/gone")}${item("/moved")}</channel></rss>`;
		peer.trouble = ({ path }) => (path === "/moved" ? { status: 302, headers: { location: `${other.origin}/entry/a` } } : null);
		const { puts } = await syncOnce(peer, { pages: true });
		expect(puts.map((one) => textOf(one).includes("from the feed"))).toEqual([true, true, true]);
		expect(other.asked).toEqual([]);
	});

	test("one that cannot be read now is told, keeps none of the others, and is tried again though the feed is unchanged", async () => {
		const peer = await open([entry("a"), entry("b")]);
		peer.trouble = ({ path }) => (path === "/entry/a" ? { status: 500 } : null);
		const first = await syncOnce(peer, { pages: true });
		expect([first.keys, first.warnings]).toEqual([["urn:x:b"], ["RSS_ENTRY_FAILED"]]);
		peer.trouble = null;
		expect((await syncOnce(peer, { ...first, pages: true })).keys).toEqual(["urn:x:a"]);
	});

	test("so is one that was read before and has changed", async () => {
		const peer = await open([entry("a"), entry("b")]);
		const first = await syncOnce(peer, { pages: true });
		peer.entries = [entry("a", "changed words"), entry("b")];
		peer.trouble = ({ path }) => (path === "/entry/a" ? { status: 500 } : null);
		const second = await syncOnce(peer, { ...first, pages: true });
		peer.trouble = null;
		const third = await syncOnce(peer, { ...second, pages: true });
		const fourth = await syncOnce(peer, { ...third, pages: true });
		expect([second.keys, third.keys, fourth.keys]).toEqual([[], ["urn:x:a"], []]);
	});

	test("failures on many pages of a feed cost no more pauses than on one", async () => {
		const peer = Object.assign(await open([..."abcdef"].map((name) => entry(name))), { perPage: 1 });
		peer.trouble = ({ path }) => (path.startsWith("/entry/") ? { status: 500 } : null);
		const host = createConnectorHost([peer.host]);
		const connector = await startConnector(rss(), host);
		for await (const _change of connector.sync(connector.configure({ feedUrl: peer.feedUrl, pages: true }, 10), null, createStep()));
		expect(host.pauses.filter((ms) => ms >= 5_000)).toEqual([5_000, 15_000, 45_000]);
	});

	test("one that can be read after a pause leaves nothing to be read again", async () => {
		const peer = Object.assign(await open([entry("a"), entry("b")]), { perPage: 1 });
		let asked = 0;
		peer.trouble = ({ path }) => (path === "/entry/a" && ++asked <= 2 ? { status: 500 } : null);
		const first = await syncOnce(peer, { pages: true });
		const second = await syncOnce(peer, { ...first, pages: true });
		expect([first.keys.toSorted(), second.asked.length]).toEqual([["urn:x:a", "urn:x:b"], 1]);
	});
});

describe("what is refused", () => {
	test.each([
		["a page that is no feed", { status: 200, body: "<!doctype html><p>Welcome</p>" }, "CONNECTION_INVALID"],
		["nothing there", { status: 404 }, "CONNECTION_SOURCE_MISSING"],
		["a feed for members", { status: 401 }, "CONNECTION_FORBIDDEN"],
		["a redirect to another host", { status: 301, headers: { location: "https://elsewhere.example/feed" } }, "CONNECTION_INVALID"],
		["a circle", { status: 302, headers: { location: "/feed.xml" } }, "CONNECTION_INVALID"],
		["a server that is busy", { status: 503, headers: { "retry-after": "30" } }, "ADDRESS_FAILED"],
	])("%s is told when the connection is made", async (_, reply, code) => {
		const peer = await open();
		peer.trouble = () => reply;
		const connector = await startConnector(rss(), createConnectorHost([peer.host]));
		const error = await refusalOf(() => connector.check?.(connector.configure({ feedUrl: peer.feedUrl }, 10), createStep()));
		expect(error.code).toBe(code as typeof error.code);
		if (code === "ADDRESS_FAILED") expect(error.earliestRetryMs).toBe(30_000);
	});

	test("an address that is not public is never asked", async () => {
		const peer = await open([entry("a")]);
		const connector = await startConnector(rss(), createConnectorHost([]));
		const error = await refusalOf(() => connector.check?.(connector.configure({ feedUrl: peer.feedUrl }, 10), createStep()));
		expect([error.code, peer.asked]).toEqual(["ADDRESS_BLOCKED", []]);
	});
});

describe("older pages", () => {
	const busy = { status: 429, headers: { "retry-after": "600" }, body: "slower, please" };
	const openPages = async () => Object.assign(await open([..."abcdefghijkl"].map((name) => entry(name))), { perPage: 2 });
	const keysOf = (names: string) => [...names].map((name) => `urn:x:${name}`);

	/** A sync that fails. */
	async function cutOff(peer: FeedPeer, from: Cursor | null = null) {
		const connector = await startConnector(rss(), createConnectorHost([peer.host]));
		let cursor = from;
		const keys: string[] = [];
		const error = await refusalOf(async () => {
			for await (const change of connector.sync(connector.configure({ feedUrl: peer.feedUrl }, 1_000), from, createStep())) {
				cursor = kept(change.cursor());
				if (change.kind === "put") keys.push(change.item.key);
			}
		});
		return { cursor, keys, error };
	}

	test.each([
		["is not there", { status: 404 }],
		["is gone", { status: 410 }],
		["is for members", { status: 401 }],
		["leads to another host", { status: 301, headers: { location: "https://elsewhere.example/feed" } }],
		["is no feed", { status: 200, body: "<!doctype html><p>Welcome</p>" }],
	])("one that %s is told, keeps nothing that is new out, and is read when it can be", async (_, reply) => {
		const peer = await openPages();
		peer.trouble = ({ path }) => (path.includes("page=4") ? reply : null);
		const first = await syncOnce(peer);
		expect([first.keys, first.warnings]).toEqual([keysOf("abcdef"), ["RSS_PAGE_FAILED"]]);
		peer.entries = [entry("new"), ...peer.entries];
		const second = await syncOnce(peer, first);
		expect([second.keys, second.warnings]).toEqual([["urn:x:new"], ["RSS_PAGE_FAILED"]]);
		peer.trouble = null;
		const third = await syncOnce(peer, second);
		expect([third.keys, third.warnings]).toEqual([keysOf("ghijkl"), []]);
		expect((await syncOnce(peer, third)).asked).toEqual(["GET /feed.xml"]);
	});

	test("one that is named with http by a feed with https is asked for with https", async () => {
		const atom = { status: 200, headers: new Map(), claimedMediaType: "application/atom+xml", charset: null, fileName: null } as const;
		const asked: string[] = [];
		const page = (next: string | null, name: string) =>
			`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>f</title><id>f</id><updated>2026-01-01T00:00:00Z</updated>${next === null ? "" : `<link rel="next" href="${next}"/>`}<entry><id>urn:x:${name}</id><title>${name}</title><updated>2026-01-01T00:00:00Z</updated><content>${name} says</content></entry></feed>`;
		const fetch: Host["fetch"] = async (address) => {
			asked.push(address);
			const body = address.includes("page=2") ? page(null, "b") : page("http://feeds.example/feed.xml?page=2", "a");
			return { ...atom, address: new URL(address), bytes: new TextEncoder().encode(body) };
		};
		const connector = await startConnector(rss(), { ...createConnectorHost([]), fetch });
		const keys: string[] = [];
		for await (const change of connector.sync(connector.configure({ feedUrl: "https://feeds.example/feed.xml" }, 10), null, createStep()))
			if (change.kind === "put") keys.push(change.item.key);
		expect([keys, asked.filter((address) => address.startsWith("http:"))]).toEqual([["urn:x:a", "urn:x:b"], []]);
	});

	test("one that never answers keeps nothing that is new out: the feed itself is asked every hour", async () => {
		const peer = await openPages();
		setSystemTime(new Date("2026-03-01T10:00:00Z"));
		peer.trouble = ({ path }) => (path.includes("page=5") ? { status: 500 } : null);
		const first = await cutOff(peer);
		expect([first.keys, first.error.code]).toEqual([keysOf("abcdefgh"), "ADDRESS_FAILED"]);
		peer.entries = [..."zyx"].map((name) => entry(name)).concat(peer.entries);
		setSystemTime(new Date("2026-03-01T10:59:00Z"));
		const second = await cutOff(peer, first.cursor);
		expect(second.keys).toEqual([]);
		setSystemTime(new Date("2026-03-01T11:00:00Z"));
		const third = await cutOff(peer, second.cursor);
		expect(third.keys).toEqual(keysOf("zyx"));
		peer.trouble = null;
		const fourth = await syncOnce(peer, third);
		expect([fourth.keys, fourth.asked.includes("GET /feed.xml")]).toEqual([keysOf("ijkl"), false]);
	});

	test("one that goes away while a first sync is cut off there is passed over, and the next sync reads all", async () => {
		const peer = await openPages();
		peer.trouble = ({ path }) => (path.includes("page=5") ? busy : null);
		const first = await cutOff(peer);
		peer.trouble = ({ path }) => (path.includes("page=3") ? { status: 404 } : null);
		const second = await syncOnce(peer, first);
		expect([second.keys, second.warnings]).toEqual([[], ["RSS_PAGE_FAILED"]]);
		peer.trouble = null;
		expect((await syncOnce(peer, second)).keys).toEqual(keysOf("ijkl"));
	});

	test("one on another host is told, and never asked for", async () => {
		const [peer, other] = [await open(), await open([entry("b")])];
		const link = `<a:link xmlns:a="http://www.w3.org/2005/Atom" rel="next" href="${other.feedUrl}"/>`;
		peer.raw = `<rss version="2.0"><channel>${link}<item><guid>a</guid></item></channel></rss>`;
		const connector = await startConnector(rss(), createConnectorHost([peer.host, other.host]));
		const synced = await syncWith(connector, { metadata: { feedUrl: peer.feedUrl } });
		expect([synced.keys, synced.warnings.length, other.asked]).toEqual([["a"], 1, []]);
		expect((await syncOnce(peer, synced)).asked).toEqual(["GET /feed.xml"]);
	});
});

test("entries that move by more than a page while a first sync is cut off come with the next sync", async () => {
	const peer = Object.assign(await open([..."abcdefghijkl"].map((name) => entry(name))), { perPage: 2 });
	const busy = { status: 429, headers: { "retry-after": "600" }, body: "slower, please" };
	peer.trouble = ({ path }) => (path.includes("page=5") ? busy : null);
	const connector = await startConnector(rss(), createConnectorHost([peer.host]));
	let cursor: Cursor | null = null;
	const cutOff = async () => {
		const config = connector.configure({ feedUrl: peer.feedUrl }, 1_000);
		for await (const change of connector.sync(config, null, createStep())) cursor = kept(change.cursor());
	};
	expect((await refusalOf(cutOff)).retryAfterMs).toBe(600_000);
	peer.trouble = null;
	// The first page stays as it is.
	peer.entries = peer.entries.filter(({ id }) => "abijkl".includes(id));
	const second = await syncOnce(peer, { cursor });
	const third = await syncOnce(peer, { cursor: second.cursor });
	expect([second.keys, third.keys].flat().toSorted()).toEqual([..."ijkl"].map((name) => `urn:x:${name}`));
	expect((await syncOnce(peer, { cursor: third.cursor })).asked).toHaveLength(1);
});

test("hundreds of entries through faults and kills come as they are, and so do changes", async () => {
	const count = 300;
	const peer = await open(Array.from({ length: count }, (_, i) => entry(i)));
	peer.perPage = 50;
	peer.trouble = faults((path) => path === "/entry/77");
	const start = () => startConnector(rss(), createConnectorHost([peer.host]));
	const enduring = { start, metadata: { feedUrl: peer.feedUrl, pages: true }, kills: 6 };
	const documents: Documents = new Map();
	const there = () => new Map(peer.entries.filter(({ id }) => id !== "77").map(({ id, html }) => [`urn:x:${id}`, html]));
	const same = () => {
		expect([...documents.keys()].toSorted()).toEqual([...there().keys()].toSorted());
		for (const [key, html] of there()) expect(documents.get(key)).toContain(html);
	};
	const first = await endure(enduring, documents, null);
	same();
	expect(first.attempts).toBeGreaterThan(enduring.kills + 1);
	expect(first.warnings.some((message) => message.includes("/entry/77"))).toBe(true);
	expect(first.puts.length - count).toBeLessThan(first.attempts * 11);

	peer.entries = [entry("new"), ...peer.entries.filter(({ id }) => id !== "5").map((one) => (one.id === "9" ? entry(9, "changed words") : one))];
	peer.deleted.push("5");
	const second = await endure({ ...enduring, kills: 1 }, documents, first.cursor);
	same();
	expect([[...new Set(second.puts)].toSorted(), [...new Set(second.removed)]]).toEqual([["urn:x:9", "urn:x:new"], ["urn:x:5"]]);
});
