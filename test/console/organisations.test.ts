/** The organisations of a server in a browser: for its operator alone, who adds one, sets its quotas and removes it. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, expectAccessible, linkTo, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

interface Organisation {
	readonly name: string;
	readonly state: string;
	readonly quotas: object;
}

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	let keyOfOther: string;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		server = await startServerProcess(folder);
		const { key } = await ask(server, "POST", "/v3/organisations", { name: "Other Ltd", quotas: { documents: 7 } });
		keyOfOther = String(key);
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	const parts = (page: Page) => page.getByRole("navigation", { name: "Parts of the organisation" });
	async function openPart(page: Page, name: string, key = server.key): Promise<void> {
		await signInWith(page, { key });
		await linkTo(page, "Organisation").click();
		await parts(page).getByRole("link", { name }).click();
	}
	const known = async (name: string) => {
		const { organisations } = await ask(server, "GET", "/v3/organisations");
		return (organisations as readonly Organisation[]).find((each) => each.name === name);
	};

	test(
		"one is added by keyboard alone, its key is shown once, its quotas are changed, and it is removed when its name is typed",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await openPart(page, "All organisations");
				await page.getByRole("article", { name: "Other Ltd" }).getByText("0 of 7 documents").waitFor();
				await tabTo(page, "Name");
				await page.keyboard.type("Harbour Ltd");
				await tabTo(page, "Documents");
				await page.keyboard.type("ten");
				await page.keyboard.press("Enter");
				await page.getByText("“Documents” should be a whole number, and is “ten”").waitFor();
				expect(await known("Harbour Ltd")).toBeUndefined();
				await page.getByRole("textbox", { name: "Documents" }).fill("10,000");
				await page.keyboard.press("Enter");
				const key = (await page.locator(".made-key pre").textContent()) ?? "";
				expect(await ask({ ...server, key }, "GET", "/v3/session")).toMatchObject({ org: { name: "Harbour Ltd" }, operator: false });
				await page.getByRole("button", { name: "I have kept it" }).click();
				expect(await page.getByText(key).count()).toBe(0);
				const row = page.getByRole("article", { name: "Harbour Ltd" });
				await row.getByText("0 of 10,000 documents").waitFor();
				await tabTo(page, "Quotas of “Harbour Ltd”");
				await page.keyboard.press("Enter");
				await row.getByRole("textbox", { name: "Documents" }).fill("");
				await row.getByRole("textbox", { name: "Bytes" }).fill("1048576");
				await row.getByRole("textbox", { name: "Requests a minute" }).fill("60");
				await row.getByRole("button", { name: "Save the quotas" }).click();
				await row.getByText("0 documents · 0.0 kB of 1.0 MB · 0 tokens today · 60 requests a minute at most").waitFor();
				expect((await known("Harbour Ltd"))?.quotas).toEqual({ documents: null, bytes: 1_048_576, tokensPerDay: null, requestsPerMinute: 60 });
				await row.getByRole("button", { name: /^Remove…/ }).click();
				const question = page.getByRole("alertdialog");
				expect(await question.getByRole("button", { name: "Remove" }).isDisabled()).toBe(true);
				await question.getByLabel("Type Harbour Ltd to go on").fill("Harbour Ltd");
				await question.getByRole("button", { name: "Remove" }).click();
				await page.getByText("“Harbour Ltd” is being removed.").waitFor();
				await until(async () => (await known("Harbour Ltd"))?.state !== "active");
				const refused = await fetch(`${server.address}/v3/session`, { headers: { authorization: `Bearer ${key}` } });
				expect(refused.status).toBe(401);
			}),
		patienceMs,
	);

	test(
		"an admin of another organisation sees what it uses of its quotas, and is not offered what is for operators",
		() =>
			openConsole(server, { viewport: narrow }, async (page) => {
				await openPart(page, "Usage", keyOfOther);
				await page.getByText("0 of 7 documents").waitFor();
				const offered = await parts(page).getByRole("link").allTextContents();
				expect(offered).toEqual(["Settings", "Models", "Usage", "Audit log", "Webhooks", "Connections"]);
				await parts(page).getByRole("link", { name: "Models" }).click();
				await page.getByRole("heading", { name: "Language model" }).waitFor();
				await page.goto(`${server.address}/#/organisation/organisations`);
				await page.getByRole("button", { name: "Save the settings" }).waitFor();
			}),
		patienceMs,
	);

	for (const colorScheme of ["light", "dark"] as const)
		for (const viewport of [wide, narrow])
			test(
				`axe finds nothing serious, ${colorScheme}, ${viewport.width} px wide`,
				() =>
					openConsole(server, { viewport, colorScheme }, async (page) => {
						await openPart(page, "All organisations");
						const row = page.getByRole("article", { name: "Other Ltd" });
						await row.getByRole("button", { name: /^Quotas/ }).click();
						await row.getByRole("button", { name: "Save the quotas" }).waitFor();
						await expectAccessible(page, "organisations");
						await row.getByRole("button", { name: /^Remove…/ }).click();
						await page.getByLabel("Type Other Ltd to go on").waitFor();
						await expectAccessible(page, "the question before one is removed");
					}),
				patienceMs,
			);
});
