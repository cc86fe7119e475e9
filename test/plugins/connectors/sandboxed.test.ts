/** The engines of the crawler in the real sandbox, on pages and sitemaps that were made to do harm. */

import { afterAll, expect, test } from "bun:test";
import type { PageFacts, PageInput } from "../../../plugins/connectors/web-crawler/page-engine.ts";
import type { Sitemap } from "../../../plugins/connectors/web-crawler/sitemap-engine.ts";
import { createSandbox } from "../../../server/boot/sandbox/create-sandbox.ts";
import { html, link } from "./site-peer.ts";

const sandbox = createSandbox({ log: () => undefined, processesMax: 1 });
afterAll(() => sandbox.close());

const bounds = { signal: new AbortController().signal, timeoutMs: 60_000, memoryMb: 512, outputBytesMax: 1 << 24 };
const folder = "../../../plugins/connectors/web-crawler/";

function factsOf(page: string): Promise<PageFacts> {
	const input: PageInput = { bytes: new TextEncoder().encode(page), charset: null, url: "https://site.test/a/b" };
	return sandbox.run<PageInput, PageFacts>({ engine: new URL(`${folder}page-engine.ts`, import.meta.url), input, ...bounds });
}

function sitemapOf(xml: string): Promise<Sitemap> {
	const engine = new URL(`${folder}sitemap-engine.ts`, import.meta.url);
	return sandbox.run<Uint8Array, Sitemap>({ engine, input: new TextEncoder().encode(xml), ...bounds });
}

test("links are told absolute, each once, from the base that the page names", async () => {
	const page = html(
		`${link("c")} ${link("/d#x")} ${link("c")} <area href="e"><a name="no-link"></a><a href="http://[">x</a>`,
		'<base href="/base/"><link rel="canonical" href="self">',
	);
	expect(await factsOf(page)).toEqual({
		canonical: "https://site.test/base/self",
		isIndexed: true,
		isFollowed: true,
		links: ["https://site.test/base/c", "https://site.test/d#x", "https://site.test/base/e"],
		hash: expect.stringMatching(/^[\w-]{22}$/),
	});
}, 120_000);

test("a page of a hundred thousand links, and one nested without end, end", async () => {
	expect((await factsOf(Array.from({ length: 100_000 }, (_, i) => link(`/${i}`)).join(""))).links).toHaveLength(2_000);
	const deep = await factsOf(`${"<div>".repeat(20_000)}${link("/below")}`).catch((error: { readonly code?: string }) => error.code);
	expect(deep === "FILE_BROKEN" || (typeof deep === "object" && deep.links.includes("https://site.test/below"))).toBe(true);
	expect((await factsOf(html(link("/fine")))).links).toEqual(["https://site.test/fine"]);
}, 120_000);

test("a sitemap of fifty thousand addresses is read, one of entities within entities is not", async () => {
	const many = `<urlset>${Array.from({ length: 50_001 }, (_, i) => `<url><loc>https://site.test/${i}</loc></url>`).join("")}</urlset>`;
	expect((await sitemapOf(many)).pages).toHaveLength(50_000);
	const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};&l${i};">`).join("");
	await expect(sitemapOf(`<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]><urlset><url><loc>&l20;</loc></url></urlset>`)).rejects.toMatchObject({
		code: "FILE_BROKEN",
	});
	await expect(sitemapOf("<urlset>".repeat(100_000))).rejects.toMatchObject({ code: "FILE_BROKEN" });
}, 120_000);
