/** The documentation site: every link and anchor on it leads somewhere, nothing on it comes from elsewhere, and clients see no difference. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { rootFolder } from "../../scripts/checks.ts";
import { pagePaths, pageUrl } from "../../server/site/site-pages.ts";
import { startTestServer, type TestServer } from "../doubles/test-server.ts";

const patienceMs = 120_000;
const browserAccepts = "text/html,application/xhtml+xml,*/*;q=0.8";

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer();
}, patienceMs);
afterAll(() => server.dispose());

function ask(path: string, headers: Record<string, string> = { accept: browserAccepts }): Promise<Response> {
	return Promise.resolve(server.app.handle(new Request(`http://localhost${path}`, { headers })));
}

const matches = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map((found) => (found[1] ?? "").replaceAll("&#x26;", "&").replaceAll("&amp;", "&"));

interface Walked {
	readonly html: string;
	readonly ids: ReadonlySet<string>;
}

/** From the first page on, every page that a link leads to. */
async function walk(): Promise<ReadonlyMap<string, Walked>> {
	const walked = new Map<string, Walked>();
	const waiting = ["/docs"];
	for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
		if (walked.has(path)) continue;
		const response = await ask(path);
		expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"]);
		const html = await response.text();
		walked.set(path, { html, ids: new Set(matches(html, / id="([^"]+)"/g)) });
		const links = matches(html, /<a [^>]*href="(\/docs[^"#]*)/g);
		const pictures = links.filter((link) => link.startsWith("/docs/images/"));
		for (const picture of pictures)
			expect([picture, (await ask(picture)).headers.get("content-type")]).toEqual([picture, picture.endsWith(".png") ? "image/png" : "image/webp"]);
		waiting.push(...links.filter((link) => !pictures.includes(link)));
	}
	return walked;
}

test(
	"every page of the documentation is reached from the first, and every link and anchor leads somewhere",
	async () => {
		const pages = await walk();
		expect([...pages.keys()].toSorted()).toEqual(pagePaths(rootFolder).map(pageUrl).toSorted());
		const broken: string[] = [];
		let links = 0;
		for (const [path, { html }] of pages) {
			for (const target of matches(html, /<a [^>]*href="([^"]+)"/g)) {
				links += 1;
				if (/^https?:/.test(target) || ["/", "/swagger"].includes(target) || target.startsWith("/docs/images/")) continue;
				const [page = "", anchor] = target.split("#");
				const there = pages.get(page === "" ? path : page);
				const isThere = there !== undefined && (anchor === undefined || there.ids.has(decodeURIComponent(anchor)));
				if (!isThere) broken.push(`${path} → ${target}`);
			}
		}
		expect(broken).toEqual([]);
		expect(links).toBeGreaterThan(1_000);
	},
	patienceMs,
);

test(
	"a page loads its script, style sheet, sections and pictures from this server alone, and has no inline script or style",
	async () => {
		for (const [path, { html }] of await walk()) {
			expect([path, html.match(/<script(?! type="module" src="\/docs\/assets\/)|<style|\sstyle=|\son\w+=/g)]).toEqual([path, null]);
			const loaded = [
				...matches(html, /<(?:script|img)[^>]* src="([^"]+)"/g),
				...matches(html, /<link [^>]*href="([^"]+)"/g),
				...matches(html, /data-sections="([^"]+)"/g),
			];
			expect(loaded.filter((address) => !address.startsWith("/docs/") && !address.startsWith("data:image/svg+xml,"))).toEqual([]);
			for (const address of loaded.filter((one) => one.startsWith("/"))) expect([address, (await ask(address)).status]).toEqual([address, 200]);
		}
	},
	patienceMs,
);

test(
	"pages have the headers of the console; assets are named by their content and kept",
	async () => {
		const response = await ask("/docs/search");
		expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
		expect(response.headers.get("x-content-type-options")).toBe("nosniff");
		expect(response.headers.get("referrer-policy")).toBe("no-referrer");
		expect(response.headers.get("vary")).toContain("accept");
		const assets = matches(await response.text(), /"(\/docs\/assets\/[^"]+)"/g);
		expect(assets.length).toBe(3);
		for (const path of assets) {
			const packed = await ask(path, { "accept-encoding": "gzip" });
			expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
			expect(new TextDecoder().decode(Bun.gunzipSync(await packed.bytes()))).toBe(await (await ask(path)).text());
		}
	},
	patienceMs,
);

test("a client that asks for JSON is answered as for every unknown route", async () => {
	for (const path of ["/docs", "/docs/", "/docs/search", "/docs/adr/0001-core-without-io"]) {
		const response = await ask(path, { accept: "application/json" });
		expect(response.status).toBe(404);
		expect(await response.json()).toMatchObject({ code: "ROUTE_MISSING" });
	}
});

test("a browser that asks for no page is shown the way back, a program is told", async () => {
	const response = await ask("/docs/serach");
	expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
	expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'");
	expect(await response.text()).toContain('<a href="/docs">the first page</a>');
	for (const accept of ["*/*", "application/json"]) expect(await (await ask("/docs/serach", { accept })).json()).toMatchObject({ code: "ROUTE_MISSING" });
});

test("no name leads out of the site", async () => {
	for (const path of [
		"/docs/nothing",
		"/docs/assets/..%2findex.html",
		"/docs/images/..%2fsearch.md",
		"/docs/..%2fpackage.json",
		"/docs/images/constructor",
		"/docs/assets",
		"/docs/adr",
	])
		expect([path, (await ask(path)).status]).toEqual([path, 404]);
});

test("a word of a table, of a listing and of a heading stand among the sections, each with its anchor", async () => {
	const html = await (await ask("/docs")).text();
	const sections = (await (await ask(matches(html, /data-sections="([^"]+)"/g)[0] ?? "")).json()) as readonly { url: string; heading: string; text: string }[];
	expect(sections.find(({ text }) => text.includes("CAIRN_DATA_DIR"))?.url).toStartWith("/docs/");
	expect(sections.find(({ url }) => url === "/docs/mcp#connect-a-client")?.text).toContain("claude mcp add --transport http");
	expect(sections.find(({ url }) => url === "/docs/mcp#tools")?.heading).toBe("Tools");
});
