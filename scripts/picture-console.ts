/**
 * Takes pictures of the web console with headless Chromium on a server that has read the examples: those of the documentation,
 * or, into a FOLDER that is named, of every page, light and dark and on a phone. Ends with an error should a page ask anything
 * of another host.
 */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { createLog } from "../server/boot/log.ts";
import { startServer } from "../server/boot/start-server.ts";
import { createWorld } from "../server/boot/world.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { createClient } from "./demo/client.ts";
import { flatPicture } from "./flat-picture.ts";

const examples = resolve(import.meta.dir, "../examples/documents");
const pictures = Bun.argv[2] ?? resolve(import.meta.dir, "../docs/images");
/** Those that a page of the documentation shows. The package has these alone. */
const shown = ["documents-light", "search-dark", "memories-light", "graph-dark", "home-phone"];
/** Those that the documentation does not have at all. */
const leftOut = ["sign-in", "empty", "parameters"];
/** The page of a document has shades of its own, which must not take the place of those of the console. */
const coloursOfDocument = 64;
const patienceMs = 120_000;
const browserPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Without these Chromium itself asks its maker for updates. */
const quietFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
const looks = [
	{ name: "light", colorScheme: "light", viewport: { width: 1280, height: 860 } },
	{ name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 860 } },
	{ name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
] as const;

const folder = await mkdtemp(join(tmpdir(), "cairn-pictures-"));
const provider = startProvider();
const backups = join(folder, "backups");
const flags = ["--port=0", `--data-dir=${folder}`, "--log-level=error", `--router-url=http://127.0.0.1:${provider.port}/v1`, `--backup-dir=${backups}`];
const settings = readSettings({ env: {}, flags });
const server = await startServer(settings, {}, createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) }));
const browser = await chromium.launch({ executablePath: browserPath, args: quietFlags });
const key = server.newKey ?? "";
try {
	await mkdir(pictures, { recursive: true });
	const outside: string[] = [];
	await pictureEmpty(browser);
	const handbook = await readExamples();
	// What is said in the chat becomes a document, so it comes last.
	for (const picture of [(page: Page, look: string) => pictureAll(page, look, handbook), pictureChat])
		for (const look of looks) {
			const page = await browser.newPage(look);
			page.setDefaultTimeout(patienceMs);
			page.on("request", (request) => {
				if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) outside.push(request.url());
			});
			page.on("console", (message) => message.type() === "error" && console.error(message.text()));
			await picture(page, look.name);
			await page.close();
		}
	if (outside.length > 0) throw new Error(`the page asked other hosts: ${outside.join(", ")}`);
	console.log(`${pictures}; no request left this machine`);
} finally {
	await browser.close();
	await server.stop();
	await provider.stop(true);
	await rm(folder, { recursive: true, force: true });
}

async function pictureEmpty(opened: Browser): Promise<void> {
	const page = await opened.newPage(looks[0]);
	await signIn(page);
	await page.getByRole("heading", { name: "Add the first document" }).waitFor();
	await shoot(page, "empty", "light");
	await page.close();
}

async function pictureAll(page: Page, look: string, handbook: string): Promise<void> {
	await page.goto(server.url);
	await page.getByLabel("API key").waitFor();
	await shoot(page, "sign-in", look);
	await signIn(page);
	await page.getByRole("heading", { name: "Newest documents" }).waitFor();
	await page.getByRole("link", { name: "handbook" }).or(page.locator(".rows a")).first().waitFor();
	await shoot(page, "home", look);
	await open(page, "documents", page.locator("article.row").first());
	await shoot(page, "documents", look);
	await open(page, `documents/${handbook}?chunk=3`, page.locator(".sheet-mark"));
	await shoot(page, "document", look);
	await open(page, "search", page.getByLabel("Query"));
	await page.getByLabel("Query").fill("what is Leonie allergic to");
	await page.getByRole("button", { name: "Search", exact: true }).click();
	await page.locator(".hit .memory").first().waitFor();
	await page.locator(".passage").first().waitFor();
	await shoot(page, "search", look);
	await page.getByRole("button", { name: "Parameters" }).click();
	await shoot(page, "parameters", look);
	await open(page, "memories?container=harbour", page.locator("article.row").first());
	await page
		.getByRole("article", { name: /Port Ellery/ })
		.getByRole("button", { name: /^History and evidence/ })
		.click();
	await page.locator(".background blockquote").first().waitFor();
	await page.locator(".timeline a").first().waitFor();
	await page.locator(".timeline").scrollIntoViewIfNeeded();
	await shoot(page, "memories", look);
	await page.getByRole("tab", { name: "To review" }).click();
	await page
		.getByRole("button", { name: /^(?:Still so|Accept)/ })
		.first()
		.waitFor();
	await shoot(page, "review", look);
	await pictureOrganisation(page, look);
	await open(page, "graph?container=workshop", page.locator('.graph-place[data-drawn="true"]'));
	await page.locator(".node").nth(2).click();
	await page.locator(".picked-node").waitFor();
	await page.getByRole("button", { name: "Show all" }).click();
	// The layout moves nodes for six seconds.
	await Bun.sleep(7_000);
	await shoot(page, "graph", look);
	await open(page, "access", page.getByRole("heading", { name: "Keys", exact: true }));
	await page.locator("article.row").first().waitFor();
	await shoot(page, "access", look);
}

async function pictureChat(page: Page, look: string): Promise<void> {
	await signIn(page);
	await open(page, "chat", page.getByLabel("Your question"));
	await page.getByRole("combobox", { name: "Whose memories" }).fill("workshop");
	await page.keyboard.press("Escape");
	await page.getByLabel("Your question").fill("Which brake pads are recalled?");
	await page.getByRole("button", { name: "Ask", exact: true }).click();
	await page.getByRole("button", { name: /^Known/ }).click();
	await page.locator(".chat .versions").waitFor();
	await shoot(page, "chat", look);
}

/** Answers every question with the same words, which say so. */
function startProvider() {
	return Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request) => {
			if (request.method === "GET") return Response.json({ object: "list", data: [{ id: "a-model", object: "model" }] });
			const content = "Here stands what the provider of the language model answers.";
			const piece = JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { content }, finish_reason: null }] });
			return new Response(`data: ${piece}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
		},
	});
}

async function pictureOrganisation(page: Page, look: string): Promise<void> {
	for (const [part, seen] of [
		["settings", "Save the settings"],
		["models", "searches use it"],
		["usage", "language model"],
		["audit", "Webhook created"],
		["webhooks", "https://example.com"],
		["connections", "Connect a service"],
		["backups", "newest 7 are kept"],
		["organisations", "Harbour Trust"],
	] as const) {
		await open(page, `organisation/${part}`, page.locator("main").getByText(seen).first());
		await shoot(page, part, look);
	}
}

async function signIn(page: Page): Promise<void> {
	await page.goto(server.url);
	await page.getByLabel("API key").fill(key);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Home" }).waitFor();
}

async function open(page: Page, address: string, seen: ReturnType<Page["locator"]>): Promise<void> {
	await page.evaluate((hash) => {
		location.hash = hash;
	}, `#/${address}`);
	await seen.waitFor();
}

async function shoot(page: Page, name: string, look: string): Promise<void> {
	const place = placeOf(name, look);
	if (place === null) return;
	const picture = await page.screenshot();
	await Bun.write(join(place, `console-${name}-${look}.webp`), await (name === "document" ? flatPicture(picture, coloursOfDocument) : flatPicture(picture)));
}

/** @returns the folder of a picture; null where it is not wanted */
function placeOf(name: string, look: string): string | null {
	if (Bun.argv[2] !== undefined || shown.includes(`${name}-${look}`)) return pictures;
	return look === "phone" || leftOut.includes(name) ? null : join(pictures, "pages");
}

/** @returns the id of the handbook */
async function readExamples(): Promise<string> {
	const client = createClient(server.url, key);
	const names = (await readdir(examples)).filter((name) => name !== "README.md");
	const ids = new Map(await Promise.all(names.map(async (name) => [name, await client.upload(join(examples, name), "workshop")] as const)));
	const broken = join(folder, "broken.pdf");
	await Bun.write(broken, "%PDF-1.7\nnothing of it is left");
	ids.set("broken.pdf", await client.upload(broken, "letters"));
	for (const id of ids.values()) {
		const isOpen = async () => {
			const { status, dreamingStatus } = await client.get(id);
			return status !== "failed" && (status !== "done" || dreamingStatus !== "done");
		};
		while (await isOpen()) await Bun.sleep(100);
	}
	await tellMore();
	return ids.get("handbook.pdf") ?? "";
}

/** What the examples do not show: versions, facts that have aged, what was inferred, and a webhook. */
async function tellMore(): Promise<void> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const send = async (path: string, body: object) =>
		(await (await fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json()) as { readonly id: string };
	const told = [
		["Anselm: I live in Saltmarsh. I work at Brightwater.", "A letter of spring", "2024-03-01"],
		["Anselm: I moved to Port Ellery.", "A letter of autumn", "2026-10-04"],
		["Mia: I work at Kestrel. Kestrel is based in Gullhaven.", "A note", "2026-10-20"],
	] as const;
	for (const [content, title, documentDate] of told) {
		const { id } = await send("/v3/documents", { content, containerTag: "harbour", metadata: { title, documentDate }, dreaming: "instant" });
		const state = async () => (await (await fetch(`${server.url}/v3/documents/${id}`, { headers })).json()) as { readonly dreamingStatus: string };
		while ((await state()).dreamingStatus !== "done") await Bun.sleep(100);
	}
	await send("/v3/organisations", { name: "Harbour Trust", quotas: { documents: 10_000, bytes: 2 ** 30, requestsPerMinute: 600 } });
	// Nothing fails after it is made, so nothing is sent.
	await send("/v3/webhooks", { url: "https://example.com/cairn-events", types: ["document.failed"], description: "The workshop's board" });
}
