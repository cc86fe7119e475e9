/**
 * Takes the pictures of the documentation with headless Chromium: a search in Swagger UI on a server that has read the
 * examples. Ends with an error should the page ask anything of another host.
 */

import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { createLog } from "../server/boot/log.ts";
import { startServer } from "../server/boot/start-server.ts";
import { createWorld } from "../server/boot/world.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { createClient } from "./demo/client.ts";
import { flatPicture } from "./flat-picture.ts";

const examples = resolve(import.meta.dir, "../examples/documents");
const pictures = resolve(import.meta.dir, "../docs/images");
const browserPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Without these Chromium itself asks its maker for updates. */
const quietFlags = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

const folder = await mkdtemp(join(tmpdir(), "cairn-pictures-"));
const settings = readSettings({ env: {}, flags: ["--port=0", `--data-dir=${folder}`, "--log-level=error"] });
const server = await startServer(settings, {}, createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) }));
const browser = await chromium.launch({ executablePath: browserPath, args: quietFlags });
try {
	await readExamples(server.newKey ?? "");
	const page = await browser.newPage({ viewport: { width: 1280, height: 1500 } });
	const outside: string[] = [];
	page.on("request", (request) => {
		if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) outside.push(request.url());
	});
	await page.goto(`${server.url}/swagger`);
	await page.getByRole("button", { name: "Authorize" }).first().click();
	await page.locator(".auth-container input").fill(server.newKey ?? "");
	await page.locator(".auth-container").getByRole("button", { name: "Apply credentials" }).click();
	await page.getByRole("button", { name: "Close" }).last().click();
	const search = page.locator("#operations-Search-searchDocuments");
	await search.locator(".opblock-summary").click();
	await search.locator("textarea.body-param__text").fill(JSON.stringify({ q: "which brake pads are recalled", limit: 1, onlyMatchingChunks: true }, null, 2));
	await search.getByRole("button", { name: "Execute" }).click();
	await search.locator(".live-responses-table .response-col_status").filter({ hasText: "200" }).first().waitFor();
	await search.scrollIntoViewIfNeeded();
	// The key that was typed in is only good for this server, which is gone in a moment; still it need not be in a picture.
	await page.evaluate((key) => {
		for (const line of document.querySelectorAll(".curl-command span"))
			if (line.textContent?.includes(key)) line.textContent = line.textContent.replace(key, "…");
	}, server.newKey ?? "");
	await mkdir(pictures, { recursive: true });
	await Bun.write(join(pictures, "swagger-search.webp"), await flatPicture(await page.screenshot()));
	if (outside.length > 0) throw new Error(`the page asked other hosts: ${outside.join(", ")}`);
	console.log("docs/images/swagger-search.webp; no request left this machine");
} finally {
	await browser.close();
	await server.stop();
	await rm(folder, { recursive: true, force: true });
}

async function readExamples(key: string): Promise<void> {
	const client = createClient(server.url, key);
	const names = (await readdir(examples)).filter((name) => name !== "README.md");
	const ids = await Promise.all(names.map((name) => client.upload(join(examples, name), "workshop")));
	for (const id of ids) while (!["done", "failed"].includes((await client.get(id)).status)) await Bun.sleep(100);
}
