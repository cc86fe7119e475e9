/** Addresses over HTTP: pages with what they say of themselves, files behind addresses, posts, captions, shared documents, and what fails. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import googleDrive from "../../plugins/address-readers/google-drive.ts";
import hackerNews from "../../plugins/address-readers/hacker-news.ts";
import x from "../../plugins/address-readers/x/index.ts";
import youtube from "../../plugins/address-readers/youtube/index.ts";
import { exported, fileId, officeTypes, signInPage } from "../doubles/address-services/google-drive.ts";
import { comment, story } from "../doubles/address-services/hacker-news.ts";
import * as mastodon from "../doubles/address-services/mastodon.ts";
import { busy, page, type ServicePeer, startServicePeer } from "../doubles/address-services/service-peer.ts";
import { tweet } from "../doubles/address-services/x.ts";
import { heardJson, playerResponse, videoId, watchPage } from "../doubles/address-services/youtube.ts";
import { fixture } from "../doubles/fixture.ts";
import { docxOf, wordParagraph } from "../doubles/office-files.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

let peer: ServicePeer;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
	peer = startServicePeer();
	const { origin } = peer;
	server = await startTestServer([`--fetch-allow=${peer.host}`], {
		plugins: [
			hackerNews({ api: origin }),
			x({ syndication: origin, oembed: origin }),
			googleDrive({ docs: origin, drive: origin }),
			["address-reader-github", { base: origin }],
			youtube({ base: origin }),
		],
	});
	client = await server.client();
});
afterAll(async () => {
	await server.dispose();
	peer.close();
});

async function add(url: string, answers: ServicePeer["answers"], more: object = {}): Promise<Record<string, unknown>> {
	peer.answers = answers;
	const response = await client.send("POST", "/v3/documents", { content: url, dreaming: "instant", ...more });
	const { id } = (await response.json()) as { readonly id: string };
	return await client.finished(id);
}

const chunksOf = async ({ id }: Record<string, unknown>) =>
	(
		(await (await client.send("GET", `/v3/documents/${id}/chunks`)).json()) as {
			readonly chunks: readonly { readonly content: string; readonly place: { readonly seconds?: readonly number[] } }[];
		}
	).chunks;

const memories = async () =>
	(
		(await (await client.send("POST", "/v4/memories/list", { containerTags: ["sm_project_default"], limit: 50 })).json()) as {
			readonly memoryEntries: readonly { readonly memory: string }[];
		}
	).memoryEntries.map(({ memory }) => memory);

test("a page behind a redirect, in an old encoding, with what it says of itself", async () => {
	const html = `<html lang="de"><head><title>Sturm – Küstenbote</title><link rel="canonical" href="/sturm"><meta name="author" content="Jörg Käpt'n">
		<meta property="article:published_time" content="2019-03-08T09:00:00Z"><meta property="og:image" content="/s.jpg"><meta property="og:site_name" content="Küstenbote">
		</head><body><article><h1>Sturm über Kiel</h1><p>Die Fähre nach Göteborg fährt heute nicht, weil der Sturm zu stark geworden ist.</p></article></body></html>`;
	const bytes = Uint8Array.from(html, (sign) => (sign === "–" ? 0x96 : sign.charCodeAt(0)));
	const document = await add(`${peer.origin}/kurz`, {
		"/kurz": () => new Response(null, { status: 301, headers: { location: "/sturm?ref=1" } }),
		"/sturm": () => new Response(bytes, { headers: { "content-type": "text/html; charset=windows-1252" } }),
	});
	expect(document).toMatchObject({
		...{ status: "done", type: "webpage", title: "Sturm über Kiel", language: "de", url: `${peer.origin}/kurz` },
		...{
			author: "Jörg Käpt'n",
			publishedAt: "2019-03-08T09:00:00.000Z",
			siteName: "Küstenbote",
			canonicalUrl: `${peer.origin}/sturm`,
			ogImage: `${peer.origin}/s.jpg`,
		},
	});
	expect(document["content"]).toContain("Fähre nach Göteborg");
});

test.each([
	["letter.pdf", "pdf"],
	["small.png", "image"],
])(
	"%s behind an address that says nothing of its kind",
	async (name, type) => {
		const bytes = Uint8Array.from(fixture(name));
		const document = await add(`${peer.origin}/download?id=7`, {
			"/download": () => new Response(bytes, { headers: { "content-type": "application/octet-stream" } }),
		});
		expect(document).toMatchObject({ status: "done", type, author: null, ogImage: null });
	},
	20_000, // a busy machine takes its time to start what reads pictures
);

test("a post of X, whose yesterday is the day before it was written", async () => {
	const post = tweet({ text: "I moved to Kiel yesterday.", entities: { urls: [] } });
	const document = await add("https://x.com/keeper/status/1785600000000000001", { "/tweet-result": post });
	expect(document).toMatchObject({
		...{ status: "done", type: "tweet", title: "Post by Ada Keeper (@keeper): I moved to Kiel yesterday.", author: "Ada Keeper (@keeper)" },
		...{ publishedAt: "2024-05-01T10:00:00.000Z", siteName: "X", ogImage: "https://pbs.example/p.jpg", url: "https://x.com/keeper/status/1785600000000000001" },
	});
	expect(await memories()).toContain("Ada Keeper moved to Kiel yesterday (30 April 2024).");
	const found = await client.send("POST", "/v3/search", { q: "who moved to Kiel" });
	expect(JSON.stringify(await found.json())).toContain(String(document["id"]));
});

test("a thread of a Mastodon server", async () => {
	const document = await add(`${peer.origin}/@ada/${mastodon.main.id}`, {
		[`/api/v1/statuses/${mastodon.main.id}`]: mastodon.main,
		[`/api/v1/statuses/${mastodon.main.id}/context`]: mastodon.context,
	});
	expect(document).toMatchObject({ status: "done", type: "webpage", siteName: peer.host });
	expect((await chunksOf(document)).map(({ content }) => content).join("\n")).toContain("**ben:** Thanks!");
});

test("in a thread everybody speaks for themselves, whatever they call themselves", async () => {
	const answer = comment({ author: "sea_dog42", text: "I work as a pilot in Bergen." });
	const item = story({ id: 1, author: "Ben", text: "I keep a lighthouse in Malmö.", children: [answer] });
	expect(await add("https://news.ycombinator.com/item?id=1", { "/api/v1/items/1": item })).toMatchObject({ status: "done" });
	expect(await memories()).toEqual(expect.arrayContaining(["Ben keeps a lighthouse in Malmö.", "sea_dog42 works as a pilot in Bergen."]));
});

test("a page with an address like a post's is read as the page it is", async () => {
	const html = "<html><body><article><h1>On lamps</h1><p>A lamp that burns oil wants to be trimmed twice in every night.</p></article></body></html>";
	const document = await add(`${peer.origin}/@keeper/123456789`, { "/@keeper/123456789": html });
	expect(document).toMatchObject({ status: "done", type: "webpage", title: "On lamps" });
});

test("captions of a video, with their seconds", async () => {
	const tracks = [{ baseUrl: `${peer.origin}/api/timedtext?lang=en`, languageCode: "en", kind: "asr" }];
	const document = await add(`https://youtu.be/${videoId}`, { "/watch": watchPage(playerResponse(tracks)), "/api/timedtext": heardJson });
	expect(document).toMatchObject({
		...{ status: "done", type: "video", title: 'The keeper\'s {"notebook"}', language: "en", author: "Harbour Films", publishedAt: "2024-05-01T10:00:00.000Z" },
		summary: "How a lighthouse is kept. With } and \\ signs.",
	});
	expect((await chunksOf(document))[0]).toMatchObject({
		content: expect.stringContaining("The lamp is lit at dusk, <not> & before."),
		place: { seconds: [0.5, 5.6] },
	});
});

test("a shared document, and a Markdown file of a repository", async () => {
	const bytes = Uint8Array.from(docxOf({ body: wordParagraph("The lamp is to be renewed.") }));
	const doc = await add(`https://docs.google.com/document/d/${fileId}/edit`, {
		[`/document/d/${fileId}/export`]: () => exported(bytes, "Minutes of May.docx", officeTypes.docx),
	});
	expect(doc).toMatchObject({ status: "done", type: "google_doc", title: "Minutes of May", siteName: "Google Drive" });
	const file = await add("https://github.com/harbour/tides/blob/main/README.md", {
		"/harbour/tides/raw/main/README.md": () => new Response("# Tides\n\nHigh water at six."),
	});
	expect(file).toMatchObject({ status: "done", type: "github_markdown", title: "Tides", siteName: "GitHub, harbour/tides" });
});

describe("what fails tells its code, its stage and what to do", () => {
	test.each([
		[
			"a document that is not shared",
			`https://docs.google.com/document/d/${fileId}/edit`,
			{ [`/document/d/${fileId}/export`]: signInPage },
			"ADDRESS_PRIVATE",
			"share it",
		],
		[
			"a post of another shape",
			"https://x.com/keeper/status/1785600000000000001",
			{ "/tweet-result": {}, "/oembed": {} },
			"ADDRESS_CHANGED",
			"add the text itself",
		],
		["a video without captions", `https://youtu.be/${videoId}`, { "/watch": watchPage(playerResponse(null)) }, "CAPTIONS_MISSING", "CAIRN_TRANSCRIPTION_URL"],
		["a page that is gone", "/gone", { "/gone": page("gone", 410) }, "ADDRESS_REFUSED", "browser"],
	] as const)("%s", async (_name, url, answers, code, hint) => {
		const document = await add(url.startsWith("/") ? peer.origin + url : url, answers);
		expect(document).toMatchObject({ status: "failed", failedStage: "extracting", error: { code, hint: expect.stringContaining(hint), retryAt: null } });
	});

	test("a service that is busy is asked again when it said so", async () => {
		peer.answers = { "/busy": busy() };
		const response = await client.send("POST", "/v3/documents", { content: `${peer.origin}/busy` });
		const { id } = (await response.json()) as { readonly id: string };
		const told = async () =>
			(await (await client.send("GET", `/v3/documents/${id}`)).json()) as { readonly error: { readonly code: string; readonly retryAt: string } | null };
		const error = await until(async () => (await told()).error);
		expect(error.code).toBe("ADDRESS_FAILED");
		expect(Date.parse(error.retryAt) - Date.now()).toBeGreaterThan(20_000);
	});
});
