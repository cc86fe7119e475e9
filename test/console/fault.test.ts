/** A fault while a page is drawn, in a browser: the frame stays, the page says so and can be tried again. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, expectAccessible, linkTo, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		server = await startServerProcess(folder);
		await ask(server, "POST", "/v3/documents", { content: "The harbour closes at nine.", containerTag: "harbour" });
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	const list = "**/v3/documents/list";
	/** As from a proxy that answers something else. */
	const openFaulty = async (page: Page) => {
		await signInWith(page, server);
		await page.route(list, (route) => route.fulfill({ json: { memories: [null], pagination: { totalItems: 1 }, nextCursor: null } }));
		await linkTo(page, "Documents").click();
		await page.getByRole("heading", { name: "This page has stopped" }).waitFor();
		await page.getByRole("alert").getByText("It cannot be drawn:").waitFor();
	};

	for (const viewport of [wide, narrow])
		test(
			`a page that cannot be drawn says so and is tried again by keyboard, at ${viewport.width} px`,
			() =>
				openConsole(
					server,
					{ viewport },
					async (page) => {
						await openFaulty(page);
						await until(() => page.evaluate(() => document.activeElement?.textContent === "This page has stopped"));
						await expectAccessible(page, "a fault");
						await page.unroute(list);
						await tabTo(page, "Try again");
						await page.keyboard.press("Enter");
						await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
						await page.getByText("The harbour closes at nine.").first().waitFor();
					},
					{ expected: /null|GL Driver Message/ },
				),
			patienceMs,
		);

	test(
		"the other pages go on, and so does this one when it is come back to",
		() =>
			openConsole(
				server,
				{ viewport: wide },
				async (page) => {
					await openFaulty(page);
					await linkTo(page, "Search").click();
					await page.getByLabel("Query").waitFor();
					expect(await page.getByText("This page has stopped").count()).toBe(0);
					await page.unroute(list);
					await linkTo(page, "Documents").click();
					await page.getByText("The harbour closes at nine.").first().waitFor();
				},
				{ expected: /null|GL Driver Message/ },
			),
		patienceMs,
	);
});
