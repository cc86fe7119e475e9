/** Takes the pictures of the documentation site with headless Chromium. Ends with an error should a page ask anything of another host. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { createLog } from "../server/boot/log.ts";
import { startServer } from "../server/boot/start-server.ts";
import { createWorld } from "../server/boot/world.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { flatPicture } from "./flat-picture.ts";

const pictures = Bun.argv[2] ?? resolve(import.meta.dir, "../docs/images");
const browserPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Without these Chromium itself asks its maker for updates. */
const quietFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
const looks = [
	{ name: "light", page: "", query: "", colorScheme: "light", viewport: { width: 860, height: 520 } },
	{ name: "dark", page: "keys", query: "webhook signature", colorScheme: "dark", viewport: { width: 860, height: 520 } },
] as const;

const folder = await mkdtemp(join(tmpdir(), "cairn-pictures-"));
const settings = readSettings({ env: {}, flags: ["--port=0", `--data-dir=${folder}`, "--log-level=error"] });
const server = await startServer(settings, {}, createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) }));
const browser = await chromium.launch({ executablePath: browserPath, args: quietFlags });
try {
	const outside: string[] = [];
	for (const { name, page: path, query, ...look } of looks) {
		const page = await browser.newPage(look);
		page.on("request", (request) => {
			if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) outside.push(request.url());
		});
		await page.goto(`${server.url}/docs/${path}`);
		if (query !== "") {
			await page.getByRole("searchbox").fill(query);
			await page.locator(".found a").first().waitFor();
		}
		await Bun.write(join(pictures, `docs-${name}.webp`), await flatPicture(await page.screenshot()));
		await page.close();
	}
	if (outside.length > 0) throw new Error(`a page asked other hosts: ${outside.join(", ")}`);
	console.log(`${pictures}; no request left this machine`);
} finally {
	await browser.close();
	await server.stop();
	await rm(folder, { recursive: true, force: true });
}
