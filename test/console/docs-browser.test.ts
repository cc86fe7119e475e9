/** The documentation site in a browser: a word is searched and its page opened, by mouse, by keyboard and on a phone, and no request leaves. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, openBrowser, sayWithoutBrowser, seriousFaultsOf } from "../doubles/browser.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const patienceMs = 300_000;
const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-docs-test-"));
		server = await startServerProcess(folder);
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	async function inBrowser(look: Parameters<typeof openBrowser>[0], act: (page: Page) => Promise<void>): Promise<void> {
		const { context, close } = await openBrowser(look);
		try {
			const page = await context.newPage();
			const asked: string[] = [];
			const complaints: string[] = [];
			page.on("request", (request) => asked.push(request.url()));
			page.on("console", (message) => complaints.push(...(["error", "warning"].includes(message.type()) ? [message.text()] : [])));
			page.on("pageerror", (error) => complaints.push(String(error)));
			await page.goto(`${server.address}/docs`);
			await act(page);
			expect(asked.filter((address) => !address.startsWith(`${server.address}/docs`) && !address.startsWith("data:"))).toEqual([]);
			expect(asked.length).toBeGreaterThan(3);
			expect(complaints).toEqual([]);
		} finally {
			await close();
		}
	}

	const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

	for (const [name, viewport] of [
		["wide", wide],
		["on a phone", narrow],
	] as const) {
		test(
			`a word is searched, and its section opened, ${name}`,
			() =>
				inBrowser({ viewport }, async (page) => {
					await page.getByRole("heading", { name: "Documentation" }).waitFor();
					expect(await fits(page)).toBe(true);
					await page.getByRole("searchbox").fill("signed webhooks");
					await page
						.getByRole("list", { name: "Pages found" })
						.getByRole("link", { name: /Webhooks.*Events/s })
						.first()
						.click();
					await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
					expect(await fits(page)).toBe(true);
					await page.goto(`${server.address}/docs/configuration`);
					expect(await fits(page)).toBe(true);
				}),
			patienceMs,
		);
	}

	test(
		"searching needs no mouse",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await page.keyboard.press("/");
				await page.keyboard.type("forgoten memry");
				await page.getByRole("status").getByText("sections").waitFor();
				await page.keyboard.press("ArrowDown");
				const first = await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href);
				await page.keyboard.press("Escape");
				expect(await page.locator(".found").isHidden()).toBe(true);
				expect(await page.getByRole("searchbox").inputValue()).toBe("forgoten memry");
				await page.keyboard.type(" ");
				await page.locator(".found a").first().waitFor();
				await page.keyboard.press("Enter");
				await page.waitForURL(first);
			}),
		patienceMs,
	);

	test(
		"what no page says is told",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await page.getByRole("searchbox").fill("zzzzqqqq");
				await page.getByText("No page has these words.").waitFor();
			}),
		patienceMs,
	);

	for (const colorScheme of ["light", "dark"] as const) {
		test(
			`axe finds nothing serious, ${colorScheme}`,
			() =>
				inBrowser({ viewport: wide, colorScheme }, async (page) => {
					expect(await seriousFaultsOf(page), "index").toEqual([]);
					await page.getByRole("searchbox").fill("webhooks");
					await page.locator(".found a").first().waitFor();
					expect(await seriousFaultsOf(page), "found").toEqual([]);
					for (const name of ["mcp", "search", "configuration", "readme", "adr/0026-web-console"]) {
						await page.goto(`${server.address}/docs/${name}`);
						expect(await seriousFaultsOf(page), name).toEqual([]);
					}
				}),
			patienceMs,
		);
	}
});
