import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { type Change, type Log, limits, ServiceError, type Step } from "cairn-memory";
import { pathFilter } from "../../../plugins/connectors/path-filter.ts";
import { crawlableUrl, urlPattern } from "../../../plugins/connectors/web-crawler/crawlable-url.ts";
import webCrawler from "../../../plugins/connectors/web-crawler/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { type ConnectorHost, createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { createStep } from "../../doubles/step.ts";
import { html, link, type SitePage, type SitePeer, startSitePeer } from "./site-peer.ts";

const peers: SitePeer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(pages: Readonly<Record<string, SitePage | string>>): Promise<SitePeer> {
	const peer = await startSitePeer(pages);
	peers.push(peer);
	return peer;
}

async function crawlOnce(
	peer: SitePeer,
	more: Record<string, unknown> = {},
	cursor: Parameters<typeof kept>[0] | null = null,
	documentsMax = 100,
	also: Partial<Step> = {},
	host: ConnectorHost = createConnectorHost([peer.host]),
) {
	const connector = await startConnector(webCrawler(), host);
	const again: number[] = [];
	const step = { ...createStep(), tryAgain: (ms: number) => void again.push(ms), ...also };
	const changes: Change[] = [];
	peer.asked.length = 0;
	for await (const change of connector.sync(connector.configure({ startUrl: `${peer.origin}/`, ...more }, documentsMax), cursor, step)) changes.push(change);
	const short = (key: string) => key.replace(peer.origin, "");
	return {
		put: changes.flatMap((change) => (change.kind === "put" ? [short(change.item.key)] : [])),
		items: changes.flatMap((change) => (change.kind === "put" ? [change.item] : [])),
		removed: changes.flatMap((change) => (change.kind === "remove" ? [short(change.key)] : [])),
		warnings: step.warnings.map(({ code }) => code),
		asked: peer.asked.map(({ path }) => path),
		cursor: kept(changes.at(-1)?.cursor() ?? {}),
		pauses: host.pauses,
		again,
	};
}

const refusalOf = async (run: () => unknown): Promise<ServiceError> => {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
};

async function scene() {
	const peer = await startSitePeer({
		"/": `words of the start ${link("/one")} ${link("/two")} ${link("/moved")} ${link("/private")} ${link("/nowhere")}`,
		"/one": `words of one ${link("/deep")}`,
		"/two": { body: html("words of two"), isForgetful: true },
		"/deep": "words of deep",
		"/moved": { status: 301, headers: { location: "/two" } },
		"/private": { body: html(`hidden ${link("/behind")}`, '<meta name="robots" content="noindex">') },
		"/behind": "words of behind",
	});
	const documents = new Map(["/", "/one", "/two", "/deep", "/behind"].map((path) => [path, path === "/" ? "words of the start" : `words of ${path.slice(1)}`]));
	const startUrl = `${peer.origin}/`;
	return {
		start: (log: Log) => startConnector(webCrawler(), createConnectorHost([peer.host], log)),
		metadata: { startUrl },
		nonsense: [
			{ metadata: {}, key: "startUrl" },
			{ metadata: { startUrl: "example.com" }, key: "startUrl" },
			{ metadata: { startUrl: "ftp://example.com/" }, key: "startUrl" },
			{ metadata: { startUrl: "https://user:password@example.com/" }, key: "startUrl" },
			{ metadata: { startUrl: ["https://example.com/"] }, key: "startUrl" },
			{ metadata: { startUrl, depth: -1 }, key: "depth" },
			{ metadata: { startUrl, depth: 1.5 }, key: "depth" },
			{ metadata: { startUrl, pagesMax: 10_001 }, key: "pagesMax" },
			{ metadata: { startUrl, pagesMax: "all" }, key: "pagesMax" },
			{ metadata: { startUrl, include: "docs/**" }, key: "include" },
			{ metadata: { startUrl, exclude: ["/a", "b"] }, key: "exclude" },
			{ metadata: { startUrl, sitemap: "yes" }, key: "sitemap" },
		],
		refused: null,
		there: () => new Map([...documents].map(([path, words]) => [`${peer.origin}${path}`, words])),
		change: async () => {
			peer.pages.set("/one", `other words of one ${link("/deep")} ${link("/new")}`);
			peer.pages.set("/new", "words of new");
			peer.pages.delete("/deep");
			peer.pages.set("/behind", { body: html("gone from sight", '<meta name="robots" content="noindex">') });
			documents.set("/one", "other words of one").set("/new", "words of new");
			documents.delete("/deep");
			documents.delete("/behind");
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(webCrawler), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("what it reads", () => {
	test("a page comes with its bytes, type, charset and address", async () => {
		const peer = await open({ "/": "words" });
		const { items } = await crawlOnce(peer, { sitemap: false });
		expect(items).toEqual([
			{
				key: `${peer.origin}/`,
				content: {
					kind: "file",
					bytes: new TextEncoder().encode(html("words")),
					fileName: null,
					claimedMediaType: "text/html",
					charset: "utf-8",
					address: `${peer.origin}/`,
				},
				title: null,
				metadata: { url: `${peer.origin}/` },
				containerTag: null,
			},
		]);
	});

	test("PDF and plain text are documents, pictures and programs are not", async () => {
		const typed = (type: string): SitePage => ({ body: "some bytes", headers: { "content-type": type } });
		const peer = await open({
			"/": ["/a", "/b", "/c", "/d", "/e.png"].map((path) => link(path)).join(" "),
			"/a": typed("application/pdf"),
			"/b": typed("text/plain"),
			"/c": typed("image/png"),
			"/d": typed("application/octet-stream"),
			"/e.png": typed("image/png"),
		});
		const { put, asked } = await crawlOnce(peer);
		expect(put).toEqual(["/", "/a", "/b"]);
		expect(asked).not.toContain("/e.png");
	});

	test("only this host, with www or without; never another, whatever leads there", async () => {
		const peer = await open({
			"/": [
				link("https://other.example/"),
				link("//other.example/x"),
				link("mailto:a@b.example"),
				link("javascript:1"),
				link("http://127.0.0.1:1/"),
				link("/away"),
			].join(" "),
			"/away": { status: 302, headers: { location: "http://127.0.0.1:1/inside" } },
		});
		const { put, asked } = await crawlOnce(peer);
		expect(put).toEqual(["/"]);
		expect(asked).toEqual(["/robots.txt", "/sitemap.xml", "/", "/away"]);
	});

	test("depth, pages and patterns bound it", async () => {
		const peer = await open({
			"/": `${link("/docs/a")} ${link("/blog/b")}`,
			"/docs/a": `a ${link("/docs/deep/c")}`,
			"/docs/deep/c": `c ${link("/docs/deep/d")}`,
			"/docs/deep/d": "d",
			"/blog/b": "b",
		});
		expect((await crawlOnce(peer, { depth: 0 })).put).toEqual(["/"]);
		expect((await crawlOnce(peer, { depth: 1 })).put).toEqual(["/", "/docs/a", "/blog/b"]);
		expect((await crawlOnce(peer, { pagesMax: 2 })).put).toEqual(["/", "/docs/a"]);
		expect((await crawlOnce(peer, {}, null, 3)).put).toHaveLength(3);
		expect((await crawlOnce(peer, { include: "/docs/**" })).put).toEqual(["/docs/a", "/docs/deep/c", "/docs/deep/d"]);
		expect((await crawlOnce(peer, { exclude: "/docs/deep/**, /blog/*" })).put).toEqual(["/", "/docs/a"]);
	});

	test("sitemaps and their index are read; one that is broken or compressed takes nothing away", async () => {
		const peer = await open({ "/": "start", "/lonely": "lonely", "/second": "second", "/third": "third" });
		const urlset = (...paths: readonly string[]) => `<urlset xmlns="x">${paths.map((path) => `<url><loc> ${path} </loc></url>`).join("")}</urlset>`;
		peer.pages.set("/robots.txt", { body: `Sitemap: ${peer.origin}/index.xml\nSitemap: https://other.example/sitemap.xml` });
		peer.pages.set("/index.xml", {
			body: `<sitemapindex>${["/a.xml", "/b.xml", "/c.xml.gz", "/index.xml"].map((path) => `<sitemap><loc>${peer.origin}${path}</loc></sitemap>`).join("")}</sitemapindex>`,
		});
		peer.pages.set("/a.xml", { body: urlset(`${peer.origin}/lonely`, `<![CDATA[${peer.origin}/second?utm_source=x]]>`, "https://other.example/") });
		peer.pages.set("/b.xml", { body: `<urlset><url><loc>${peer.origin}/third</loc></url><url><loc>` });
		peer.pages.set("/sitemap.xml", { body: '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>' });
		const { put, asked, warnings } = await crawlOnce(peer);
		expect(put).toEqual(["/", "/lonely", "/second", "/third"]);
		expect(asked.filter((path) => path.includes(".xml"))).toEqual(["/index.xml", "/sitemap.xml", "/a.xml", "/b.xml"]);
		expect(warnings).toEqual(["SITEMAP_UNREADABLE"]);
		expect((await crawlOnce(peer, { sitemap: false })).put).toEqual(["/"]);
	});

	test("a page of ten thousand levels is read, one over the limit is passed over", async () => {
		const peer = await open({
			"/": `${link("/deep")} ${link("/huge")} ${link("/fine")}`,
			"/deep": `${"<div>".repeat(10_000)}${link("/below")}`,
			"/below": "below",
			"/huge": { body: "x".repeat(limits.fetchedBytesMax + 1) },
			"/fine": "fine",
		});
		const { put, warnings } = await crawlOnce(peer);
		expect(put).toContain("/fine");
		expect(put).not.toContain("/huge");
		expect(warnings).toContain("PAGE_FAILED");
	});
});

describe("manners", () => {
	test("what robots.txt forbids is not asked for, by the rules for us before those for all", async () => {
		const peer = await open({
			"/": `${link("/open")} ${link("/closed")} ${link("/closed/but")} ${link("/all")}`,
			"/open": "o",
			"/closed": "c",
			"/closed/but": "b",
			"/all": "a",
		});
		peer.pages.set("/robots.txt", {
			body: "User-agent: *\nDisallow: /\n\nUser-agent: CairnBot\nDisallow: /closed\nAllow: /closed/but$\nDisallow: /sitemap.xml\n",
		});
		const { put, asked } = await crawlOnce(peer);
		expect(put).toEqual(["/", "/open", "/closed/but", "/all"]);
		expect(asked).not.toContain("/closed");
		expect(asked).not.toContain("/sitemap.xml");
		for (const { agent } of peer.asked) expect(agent).toStartWith("CairnBot/");
	});

	test("rules that come later take away what they forbid", async () => {
		const peer = await open({ "/": link("/closed"), "/closed": "c" });
		const { cursor } = await crawlOnce(peer);
		peer.pages.set("/robots.txt", { body: "User-agent: *\nDisallow: /closed" });
		expect((await crawlOnce(peer, {}, cursor)).removed).toEqual(["/closed"]);
	});

	test("between two requests there is a pause, longer where the site wants it", async () => {
		const peer = await open({ "/": `${link("/a")} ${link("/b")}`, "/a": "a", "/b": "b" });
		const usual = await crawlOnce(peer);
		expect(usual.pauses).toHaveLength(usual.asked.length - 1);
		for (const pause of usual.pauses) expect(pause).toBeWithin(900, 1_001);
		peer.pages.set("/robots.txt", { body: "User-agent: *\nCrawl-delay: 7" });
		for (const pause of (await crawlOnce(peer)).pauses) expect(pause).toBeWithin(6_900, 7_001);
		peer.pages.set("/robots.txt", { body: "User-agent: *\nCrawl-delay: 86400" });
		for (const pause of (await crawlOnce(peer)).pauses) expect(pause).toBeWithin(29_900, 30_001);
	});

	test("noindex and nofollow in the page, in its headers and at its links", async () => {
		const peer = await open({
			"/": `${link("/no-index")} ${link("/no-follow")} ${link("/none")} ${link("/header")} ${link("/other-robot")} ${link("/unlinked", 'rel="nofollow noopener"')}`,
			"/no-index": { body: html(link("/from-no-index"), '<META NAME="Robots" CONTENT="NOINDEX">') },
			"/from-no-index": "x",
			"/no-follow": { body: html(link("/from-no-follow"), '<meta name="robots" content="index,nofollow">') },
			"/from-no-follow": "x",
			"/none": { body: html(link("/from-none"), '<meta name="cairnbot" content="none">') },
			"/from-none": "x",
			"/header": { body: html("x"), headers: { "x-robots-tag": "noindex" } },
			"/other-robot": { body: html("y"), headers: { "x-robots-tag": "otherbot: noindex" } },
			"/unlinked": "x",
		});
		expect((await crawlOnce(peer)).put).toEqual(["/", "/no-follow", "/other-robot", "/from-no-index"]);
	});

	test("a site that is in trouble is left in peace: nothing is taken away, and the sync is tried again", async () => {
		const peer = await open({ "/": link("/a"), "/a": "a" });
		const { cursor } = await crawlOnce(peer);
		peer.pages.set("/robots.txt", { status: 500 });
		expect(await refusalOf(() => crawlOnce(peer, {}, cursor))).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
		expect(peer.asked.map(({ path }) => path)).toEqual(["/robots.txt"]);
		peer.pages.delete("/robots.txt");
		peer.pages.set("/", { status: 503, headers: { "retry-after": "5" } });
		expect(await refusalOf(() => crawlOnce(peer, {}, cursor))).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
		for (let i = 0; i < 7; i += 1) peer.pages.set(`/broken-${i}`, { status: 500 });
		peer.pages.set("/", Array.from({ length: 7 }, (_, i) => link(`/broken-${i}`)).join(" "));
		expect(await refusalOf(() => crawlOnce(peer, {}, cursor))).toMatchObject({ code: "ADDRESS_FAILED" });
	});

	test("one page in trouble keeps what it was, and is not lost when it was never read", async () => {
		const peer = await open({ "/": `${link("/a")} ${link("/late")}`, "/a": "a", "/late": { status: 500 } });
		const first = await crawlOnce(peer);
		expect([first.put, first.warnings]).toEqual([["/", "/a"], ["PAGE_FAILED"]]);
		peer.pages.set("/a", { status: 500 });
		peer.pages.set("/late", "late");
		const second = await crawlOnce(peer, {}, first.cursor);
		expect([second.put, second.removed]).toEqual([["/late"], []]);
	});

	test("pages that fail for a moment are visited again in the same crawl, with what they link to", async () => {
		const peer = await open({ "/": `${link("/a")} ${link("/b")}`, "/a": `a ${link("/c")}`, "/b": "b", "/c": "c" });
		let asked = 0;
		peer.trouble = ({ path }) => (path === "/a" && ++asked <= 2 ? { status: 500 } : null);
		const crawled = await crawlOnce(peer, { sitemap: false });
		expect([crawled.put, crawled.warnings, crawled.again]).toEqual([["/", "/b", "/a", "/c"], [], []]);
		expect(crawled.pauses.filter((ms) => ms > 2_000)).toEqual([5_000, 15_000]);
	});

	test("pages that still fail are told with their reason, and a crawl some minutes later visits them alone", async () => {
		const peer = await open({ "/": `${link("/a")} ${link("/b")}`, "/a": { status: 500 }, "/b": "b", "/c": "c" });
		const first = await crawlOnce(peer, { sitemap: false });
		expect([first.put, first.warnings, first.again]).toEqual([["/", "/b"], ["PAGE_FAILED"], [5 * 60_000]]);
		peer.pages.set("/a", `a ${link("/c")}`).set("/b", "changed");
		const second = await crawlOnce(peer, { sitemap: false }, first.cursor, 100, { isRetry: true });
		expect([second.put, second.asked, second.again]).toEqual([["/a", "/c"], ["/robots.txt", "/a", "/c"], []]);
		const whole = await crawlOnce(peer, { sitemap: false }, second.cursor);
		expect([whole.put, whole.asked.toSorted()]).toEqual([["/b"], ["/", "/a", "/b", "/c", "/robots.txt"]]);
	});

	test("many pages that have failed for long keep no new page from being visited", async () => {
		const paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
		const broken = Object.fromEntries(paths.map((path) => [path, { status: 500 }]));
		const peer = await open({ "/": [...paths.slice(0, 4), "/good", ...paths.slice(4)].map((path) => link(path)).join(" "), "/good": "good", ...broken });
		const first = await crawlOnce(peer, { sitemap: false });
		peer.pages.set("/", [...paths, "/good", "/new"].map((path) => link(path)).join(" ")).set("/new", "new");
		setSystemTime(new Date(Date.now() + 11 * 60_000));
		const second = await crawlOnce(peer, { sitemap: false }, first.cursor).finally(() => setSystemTime());
		expect([second.put, paths.filter((path) => second.asked.includes(path)).length]).toEqual([["/", "/new"], 5]);
		for (const path of paths) peer.pages.set(path, path);
		expect((await crawlOnce(peer, { sitemap: false }, second.cursor)).put.toSorted()).toEqual(paths);
	});

	test("a crawl that takes too long goes on after as long a pause, whatever has failed", async () => {
		const peer = await open({ "/": `${link("/broken")} ${link("/a")} ${link("/b")}`, "/broken": { status: 500 }, "/a": "a", "/b": "b" });
		const { world, ...host } = createConnectorHost([peer.host]);
		// Six hours and a minute pass while the third page is read.
		const elapsedMs = () => world.elapsedMs() + (peer.asked.some(({ path }) => path === "/a") ? 361 * 60_000 : 0);
		const first = await crawlOnce(peer, { sitemap: false }, null, 100, {}, { ...host, world: { ...world, elapsedMs } });
		expect([first.put, first.warnings]).toEqual([
			["/", "/a"],
			["PAGE_FAILED", "CRAWL_TOO_LONG"],
		]);
		expect(first.again.map((ms) => Math.floor(ms / 60_000))).toEqual([361]);
		expect((await crawlOnce(peer, { sitemap: false }, first.cursor, 100, { isRetry: true })).put).toEqual(["/b"]);
	});

	test("a crawl that an outage ends goes on, and forgets none of the pages that failed", async () => {
		const paths = Array.from({ length: 8 }, (_, i) => `/page-${i}`);
		const peer = await open({ "/": paths.map((path) => link(path)).join(" "), ...Object.fromEntries(paths.map((path) => [path, path])) });
		peer.trouble = ({ path }) => (path.startsWith("/page") ? { status: 502 } : null);
		const host = createConnectorHost([peer.host]);
		const connector = await startConnector(webCrawler(), host);
		let cursor: Parameters<typeof kept>[0] | null = null;
		const outage = async () => {
			for await (const change of connector.sync(connector.configure({ startUrl: `${peer.origin}/` }, 100), null, createStep())) cursor = kept(change.cursor());
		};
		expect(await refusalOf(outage)).toMatchObject({ code: "ADDRESS_FAILED" });
		peer.trouble = null;
		const next = await crawlOnce(peer, {}, cursor);
		expect(next.put.toSorted()).toEqual(paths);
	});

	test("a crawl that is killed right behind a cursor, before the next change, loses no page", async () => {
		const peer = await open({ "/": `${link("/a")} ${link("/b")}`, "/a": link("/c"), "/b": "b", "/c": "c" });
		const connector = await startConnector(webCrawler(), createConnectorHost([peer.host]));
		const config = connector.configure({ startUrl: `${peer.origin}/`, sitemap: false }, 100);
		const put = new Set<string>();
		for await (const change of connector.sync(config, null, createStep())) {
			if (change.kind === "put") put.add(change.item.key.replace(peer.origin, ""));
			const rest = await crawlOnce(peer, { sitemap: false }, kept(change.cursor()));
			expect([...put, ...rest.put].toSorted()).toEqual(["/", "/a", "/b", "/c"]);
		}
	});

	test("who is busy for a moment is asked again after it", async () => {
		const peer = await open({ "/": { status: 429, headers: { "retry-after": "9" } } });
		expect(await refusalOf(() => crawlOnce(peer, { sitemap: false }))).toMatchObject({ code: "ADDRESS_FAILED" });
		expect(peer.asked.filter(({ path }) => path === "/")).toHaveLength(2);
	});
});

describe("the second time", () => {
	test("pages are asked for with their ETag; an unchanged one costs no body and brings nothing", async () => {
		const peer = await open({ "/": link("/a"), "/a": "a" });
		const { cursor } = await crawlOnce(peer);
		const again = await crawlOnce(peer, {}, cursor);
		expect([again.put, again.removed]).toEqual([[], []]);
		expect(peer.asked.filter(({ status }) => status === 304).map(({ path }) => path)).toEqual(["/", "/a"]);
	});

	test("new markup around the same words is no change", async () => {
		const page = (token: string): SitePage => ({
			body: html(`same words<script>var token="${token}"</script>`, `<meta name="csrf" content="${token}">`),
			isForgetful: true,
		});
		const peer = await open({ "/": page("one") });
		const { cursor } = await crawlOnce(peer);
		peer.pages.set("/", page("two"));
		expect((await crawlOnce(peer, {}, cursor)).put).toEqual([]);
		peer.pages.set("/", { body: html("other words"), isForgetful: true });
		expect((await crawlOnce(peer, {}, cursor)).put).toEqual(["/"]);
	});

	test("404 and 410 remove; a refusal for a while does not", async () => {
		const peer = await open({ "/": ["/a", "/b", "/c"].map((path) => link(path)).join(" "), "/a": "a", "/b": "b", "/c": "c" });
		const { cursor } = await crawlOnce(peer);
		peer.pages.delete("/a");
		peer.pages.set("/b", { status: 410 });
		peer.pages.set("/c", { status: 403 });
		expect((await crawlOnce(peer, {}, cursor)).removed).toEqual(["/a", "/b"]);
	});

	test("a page that leads for now to another site, or to what is not read, stays and is told; one that has moved there goes", async () => {
		const [elsewhere, excluded] = ["https://login.example/?from=here", "/login"];
		const moves = { "/a": [302, elsewhere], "/b": [303, excluded], "/c": [307, elsewhere], "/d": [301, elsewhere], "/e": [308, excluded] } as const;
		const paths = Object.keys(moves);
		const pages = Object.fromEntries(paths.map((path) => [path, path]));
		const peer = await open({ "/": [...paths, "/out"].map((path) => link(path)).join(" "), ...pages });
		peer.pages.set("/out", { status: 302, headers: { location: elsewhere } });
		const chosen = { sitemap: false, exclude: "/login" };
		const first = await crawlOnce(peer, chosen);
		for (const [path, [status, location]] of Object.entries(moves)) peer.pages.set(path, { status, headers: { location } });
		const second = await crawlOnce(peer, chosen, first.cursor);
		expect([first.warnings, second.removed, second.warnings]).toEqual([[], ["/d", "/e"], ["PAGE_FAILED", "PAGE_FAILED", "PAGE_FAILED"]]);
		for (const path of paths) peer.pages.set(path, path === "/a" ? "changed" : path);
		expect((await crawlOnce(peer, chosen, second.cursor)).put).toEqual(["/a", "/d", "/e"]);
		// What is in its place takes it, once it is a document: a page for a time of maintenance never is.
		peer.pages.set("/a", { status: 302, headers: { location: "/f" } }).set("/f", "f");
		const maintenance = '<meta name="robots" content="noindex"><p>back soon</p>';
		peer.pages.set("/b", { status: 302, headers: { location: "/maintenance" } }).set("/maintenance", maintenance);
		const third = await crawlOnce(peer, chosen, second.cursor);
		const last = await crawlOnce(peer, chosen, third.cursor);
		expect([third.put, third.removed, last.removed]).toEqual([["/d", "/e", "/f"], [], ["/a"]]);
	});

	test("a page that names another as the proper one, or moves, gives way to it", async () => {
		const peer = await open({
			"/": `${link("/print")} ${link("/mine")}`,
			"/print": "print",
			"/mine": { body: html("mine", '<link rel="canonical" href="/mine">') },
		});
		const first = await crawlOnce(peer);
		expect(first.put).toEqual(["/", "/print", "/mine"]);
		peer.pages.set("/print", { body: html("print", '<link rel="canonical" href="/proper?utm_source=x#top">') });
		peer.pages.set("/proper", "proper");
		peer.pages.set("/mine", { status: 308, headers: { location: "/ours" } });
		peer.pages.set("/ours", "ours");
		const second = await crawlOnce(peer, {}, first.cursor);
		expect([second.put, second.removed]).toEqual([
			["/proper", "/ours"],
			["/print", "/mine"],
		]);
	});

	test("a page gives way to the proper one also where that fails for a moment", async () => {
		const copy = { body: html("words", '<link rel="canonical" href="/proper">') };
		const peer = await open({ "/": `${link("/proper")} ${link("/copy")}`, "/proper": "words", "/copy": copy });
		let asked = 0;
		peer.trouble = ({ path }) => (path === "/proper" && ++asked === 1 ? { status: 500 } : null);
		expect((await crawlOnce(peer, { sitemap: false })).put).toEqual(["/", "/proper"]);
	});

	test("two pages that each name the other: one of them stays, and stays the same", async () => {
		const peer = await open({
			"/": `${link("/a")} ${link("/b")}`,
			"/a": { body: html("a", '<link rel="canonical" href="/b">'), isForgetful: true },
			"/b": { body: html("b", '<link rel="canonical" href="/a">'), isForgetful: true },
		});
		const first = await crawlOnce(peer);
		expect(first.put).toEqual(["/", "/b"]);
		const second = await crawlOnce(peer, {}, first.cursor);
		expect([second.put, second.removed]).toEqual([[], []]);
	});
});

describe("traps", () => {
	test("a calendar without end comes to an end", async () => {
		const peer = await open({ "/": link("/calendar/2026/1"), "/about": "about" });
		const pages = peer.pages;
		const get = pages.get.bind(pages);
		pages.get = (path) => {
			const month = /^\/calendar\/(\d+)\/(\d+)$/.exec(path);
			return month === null ? get(path) : `month ${link(`/calendar/${month[1]}/${Number(month[2]) + 1}`)} ${link("/about")}`;
		};
		const { put } = await crawlOnce(peer, { pagesMax: 10_000, depth: 20 }, null, 10_000);
		expect(put).toContain("/about");
		expect(put.length).toBeLessThan(30);
		pages.get = (path) =>
			path === "/" ? Array.from({ length: 1_500 }, (_, i) => link(`/calendar/2026/${i}`)).join(" ") : path === "/robots.txt" ? undefined : "month";
		expect((await crawlOnce(peer, { depth: 1, sitemap: false }, null, 10_000)).put).toHaveLength(501);
	});

	test("addresses of one make have one pattern", () => {
		expect(urlPattern("https://x.test/calendar/2026/05?view=day&month=3")).toBe(urlPattern("https://x.test/calendar/1999/12?month=9&view=week"));
		expect(urlPattern("https://x.test/a")).not.toBe(urlPattern("https://x.test/b"));
	});

	const start = new URL("https://www.site.test/start");
	const addresses: readonly (readonly [string, string | null])[] = [
		["https://www.site.test/a#part", "https://www.site.test/a"],
		["https://www.site.test:443/a?utm_source=x&b=1&fbclid=y", "https://www.site.test/a?b=1"],
		["https://www.site.test/a?utm_medium=x", "https://www.site.test/a"],
		["https://www.site.test/a?", "https://www.site.test/a"],
		["http://www.site.test/a", "https://www.site.test/a"],
		["https://site.test/a", "https://site.test/a"],
		["HTTPS://WWW.SITE.TEST/A", "https://www.site.test/A"],
		["https://www.site.test/a;jsessionid=123?b=1", "https://www.site.test/a?b=1"],
		["https://www.site.test/b/../a", "https://www.site.test/a"],
		["https://shop.site.test/a", null],
		["https://site.test.evil.example/", null],
		["https://evil.example/www.site.test/", null],
		["https://www.site.test:8443/a", null],
		["https://user@www.site.test/a", null],
		["https://www.site.test/style.CSS", null],
		["https://www.site.test/a/b/a/b/a/b/a/b", null],
		[`https://www.site.test/${"long".repeat(200)}`, null],
		["data:text/html,x", null],
		["no address", null],
	];
	for (const [given, wanted] of addresses) test(`${given.slice(0, 60)} → ${wanted}`, () => expect(crawlableUrl(given, start)).toBe(wanted));

	test("patterns of paths", () => {
		const isWanted = pathFilter({ include: ["/docs/**", "/a?c", "/one/*"], exclude: ["/docs/(old)/**", "/docs/x.html"] });
		const paths = ["/docs/a", "/docs/a/b", "/docs/(old)/a", "/docs/x.html", "/docs/xxhtml", "/abc", "/abbc", "/one/a", "/one/a/b", "/docs"];
		expect(paths.filter(isWanted)).toEqual(["/docs/a", "/docs/a/b", "/docs/xxhtml", "/abc", "/one/a"]);
		const slow = pathFilter({ include: [`/${"*a".repeat(90)}b`], exclude: [] });
		expect(slow(`/${"a".repeat(480)}`)).toBe(false);
	});
});

describe("a start that is no start", () => {
	const check = async (peer: SitePeer, path = "/", allow: readonly string[] = [peer.host]) => {
		const connector = await startConnector(webCrawler(), createConnectorHost(allow));
		return connector.check?.(connector.configure({ startUrl: `${peer.origin}${path}` }, 10), createStep());
	};

	test("a good one passes, over a redirect too", async () => {
		const peer = await open({ "/": "start", "/old": { status: 301, headers: { location: "/" } } });
		await check(peer);
		await check(peer, "/old");
		expect(peer.asked.length).toBeGreaterThan(2);
	});

	test("missing, forbidden, circular, leading away, inside: each is told for what it is", async () => {
		const peer = await open({
			"/away": { status: 301, headers: { location: "https://other.example/" } },
			"/round": { status: 301, headers: { location: "/round?again=1" } },
			"/round?again=1": { status: 301, headers: { location: "/round" } },
			"/closed": "closed",
			"/secret": { status: 401 },
			"/robots.txt": { body: "User-agent: *\nDisallow: /closed" },
		});
		expect(await refusalOf(() => check(peer, "/nowhere"))).toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
		expect(await refusalOf(() => check(peer, "/closed"))).toMatchObject({ code: "CONNECTION_FORBIDDEN" });
		expect(await refusalOf(() => check(peer, "/round"))).toMatchObject({ code: "CONNECTION_INVALID" });
		expect(await refusalOf(() => check(peer, "/secret"))).toMatchObject({ code: "ADDRESS_REFUSED" });
		const away = await refusalOf(() => check(peer, "/away"));
		expect([away.code, away.message.includes("https://other.example")]).toEqual(["CONNECTION_INVALID", true]);
		peer.asked.length = 0;
		expect(await refusalOf(() => check(peer, "/", []))).toMatchObject({ code: "ADDRESS_BLOCKED" });
		expect(peer.asked).toEqual([]);
	});
});
