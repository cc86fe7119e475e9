/** The page of memories in a browser: versions and sources, what lasts, reasons, what waits for a review, and earlier days. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, expectAccessible, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		server = await startServerProcess(folder);
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	async function tell(content: string, containerTag: string, title: string, day = "2026-03-04"): Promise<void> {
		const metadata = { title, documentDate: day };
		const { id } = await ask(server, "POST", "/v3/documents", { content, containerTag, metadata, dreaming: "instant" });
		await until(async () => (await ask(server, "GET", `/v3/documents/${String(id)}`))["dreamingStatus"] === "done");
	}

	async function openMemories(page: Page, container: string): Promise<void> {
		await signInWith(page, server);
		await page.goto(`${server.address}/#/memories?container=${container}`);
		await page.getByRole("heading", { name: "Memories", exact: true }).waitFor();
	}

	test(
		"versions stand in order with their sources, and the source opens at the words",
		async () => {
			await tell("Mara: I live in Ghent.", "mara", "First letter", "2026-01-10");
			await tell("Mara: I moved to Porto.", "mara", "Second letter", "2026-03-04");
			await openConsole(server, { viewport: wide }, async (page) => {
				await openMemories(page, "mara");
				const row = page.getByRole("article", { name: /Porto/ });
				await row.getByRole("button", { name: /^History and evidence/ }).click();
				const versions = row.locator(".timeline > li");
				await versions.nth(0).getByText("took the place of version 1").waitFor();
				await until(async () => (await versions.allTextContents()).every((text) => text.includes("from ")));
				const [newest = "", oldest = ""] = await versions.allTextContents();
				expect(newest).toContain("Porto");
				expect(oldest).toContain("Ghent");
				await row.getByRole("link", { name: /^Read on in the source/ }).click();
				await page.locator(".chunk.wanted mark").getByText("Porto").waitFor();
			});
		},
		patienceMs,
	);

	test(
		"a memory is marked as lasting and forgotten with a reason by keyboard alone, and both are undone",
		async () => {
			await ask(server, "POST", "/v4/memories", { containerTag: "nils", memories: [{ content: "Nils collects stamps of Iceland" }] });
			await openConsole(server, { viewport: wide }, async (page) => {
				await openMemories(page, "nils");
				const row = page.getByRole("article", { name: "Nils collects stamps of Iceland" });
				const profile = async () => JSON.stringify(await ask(server, "POST", "/v4/profile", { containerTag: "nils", include: ["static"] }));
				await row.waitFor();
				await tabTo(page, "Lasting");
				await page.keyboard.press("Enter");
				await row.getByText("· lasting").waitFor();
				expect(await profile()).toContain("Iceland");
				await page.getByRole("button", { name: "Undo" }).click();
				await row.getByRole("button", { name: /^Lasting/ }).waitFor();
				expect(await profile()).not.toContain("Iceland");
				await row.focus();
				await tabTo(page, "Forget");
				await page.keyboard.press("Enter");
				await page.getByRole("alertdialog").waitFor();
				await page.getByRole("alertdialog").getByLabel("Reason").focus();
				await page.keyboard.type("he sold them");
				await tabTo(page, "Forget");
				await page.keyboard.press("Enter");
				await row.getByText("forgotten: he sold them").waitFor();
				await page.getByRole("button", { name: "Undo" }).click();
				await row.getByRole("button", { name: /^Correct/ }).waitFor();
			});
		},
		patienceMs,
	);

	test(
		"facts that have aged are confirmed, and what was inferred is accepted or declined, on a phone",
		async () => {
			await tell("Ada lives in Lisbon.", "ada", "An old letter", "2019-05-01");
			await tell("Mia: I work at Brightwater. Brightwater is based in Bergen.", "ada", "A note");
			const inferred = async () => (await ask(server, "GET", "/v3/container-tags/ada/inferred"))["total"];
			expect(await inferred()).toBeGreaterThan(0);
			const before = Number(await inferred());
			await openConsole(server, { viewport: narrow }, async (page) => {
				await openMemories(page, "ada");
				await page.getByRole("tab", { name: "To review" }).click();
				const aged = page.getByRole("region", { name: "Still so?" });
				const still = aged.getByRole("button", { name: /^Still so: .*Ada lives/ });
				await still.waitFor();
				await expectAccessible(page, "review");
				await still.click();
				await aged.getByText("No fact waits for a review.").waitFor();
				const guesses = page.getByRole("region", { name: "Inferred" });
				await guesses
					.getByRole("button", { name: /^Decline/ })
					.first()
					.click();
				await until(async () => Number(await inferred()) === before - 1);
				await page.getByRole("button", { name: "Undo" }).click();
				await until(async () => Number(await inferred()) === before);
				await guesses
					.getByRole("button", { name: /^Accept/ })
					.first()
					.click();
				await until(async () => Number(await inferred()) === before - 1);
			});
		},
		patienceMs,
	);

	test(
		"a memory is written by hand, and of what matches only what stays ticked is forgotten; both are undone",
		async () => {
			const told = ["Otto keeps two goats", "Otto keeps the keys of the mill"];
			await ask(server, "POST", "/v4/memories", { containerTag: "otto", memories: told.map((content) => ({ content })) });
			await openConsole(server, { viewport: narrow }, async (page) => {
				await openMemories(page, "otto");
				await page.getByRole("button", { name: /^Write a memory/ }).click();
				await page.getByRole("button", { name: "Remember" }).click();
				await page.getByText("Write what is to be remembered first.").waitFor();
				await page.getByRole("textbox", { name: "Memory" }).fill("Otto keeps bees");
				await expectAccessible(page, "writing a memory");
				await page.getByRole("button", { name: "Remember" }).click();
				const bees = page.getByRole("article", { name: "Otto keeps bees" });
				await bees.waitFor();
				await page.getByRole("button", { name: "Undo" }).click();
				await bees.getByText("forgotten: written by mistake").waitFor();

				await page.getByRole("button", { name: /^Forget several/ }).click();
				await page.getByLabel("What to forget").fill("what does Otto keep");
				await page.getByRole("button", { name: "Show what matches" }).click();
				const matches = page.getByRole("list", { name: "What matches" });
				const listed = async () => (await matches.getByRole("listitem").allTextContents()).toSorted();
				await until(async () => Bun.deepEquals(await listed(), told.toSorted()));
				await matches.getByText("Otto keeps the keys of the mill").click();
				await expectAccessible(page, "forgetting several");
				await page.getByRole("button", { name: "Forget 1 memory" }).click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Forget", exact: true }).click();
				const goats = page.getByRole("article", { name: "Otto keeps two goats" });
				await goats.getByText(/forgotten/).waitFor();
				await page
					.getByRole("article", { name: "Otto keeps the keys of the mill" })
					.getByRole("button", { name: /^Correct/ })
					.waitFor();
				await page.getByRole("button", { name: "Undo" }).click();
				await goats.getByRole("button", { name: /^Correct/ }).waitFor();
			});
		},
		patienceMs,
	);

	test(
		"a document gets another title, and metadata that filters find",
		async () => {
			const { id } = await ask(server, "POST", "/v3/documents", { content: "The mill turns.", containerTag: "mill", metadata: { title: "Mill", floor: 1 } });
			await openConsole(server, { viewport: narrow }, async (page) => {
				await signInWith(page, server);
				await page.goto(`${server.address}/#/documents/${String(id)}`);
				await page.getByRole("button", { name: /^Edit title and metadata/ }).click();
				const metadata = page.getByRole("textbox", { name: "Metadata" });
				expect(await metadata.inputValue()).toContain('"floor": 1');
				await metadata.fill("floor 2");
				await page.getByRole("button", { name: "Save" }).click();
				await page.getByText(/^Metadata is a JSON object/).waitFor();
				await metadata.fill('{ "floor": 2 }');
				await page.getByRole("textbox", { name: "Title" }).fill("The old mill");
				await expectAccessible(page, "editing a document");
				await page.getByRole("button", { name: "Save" }).click();
				await page.getByRole("heading", { name: "The old mill", exact: true }).waitFor();
			});
			expect(await ask(server, "GET", `/v3/documents/${String(id)}`)).toMatchObject({ title: "The old mill", metadata: { floor: 2 } });
		},
		patienceMs,
	);

	test(
		"an earlier day shows what was known then, and nothing can be changed there",
		async () => {
			await ask(server, "POST", "/v4/memories", { containerTag: "ida", memories: [{ content: "Ida looks after the cat", isStatic: true }] });
			await openConsole(server, { viewport: wide }, async (page) => {
				await openMemories(page, "ida");
				await page.getByRole("article", { name: "Ida looks after the cat" }).waitFor();
				const slider = page.getByRole("slider", { name: "Go back in time" });
				await slider.press("Home");
				await page.getByText("Nothing was known of this container then.").waitFor();
				expect(await page.getByLabel("As known on").inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
				await slider.press("End");
				await page.getByRole("article", { name: "Ida looks after the cat" }).waitFor();
				await page.getByLabel("As known on").fill("2020-01-01");
				await page.getByRole("button", { name: "Search", exact: true }).click();
				await page.getByText("Nothing was known of this container then.").waitFor();
				await page.getByLabel("Search in these memories").fill("who looks after the cat");
				await page.getByRole("button", { name: "Search", exact: true }).click();
				await page.getByText("No memory of this container fits.").waitFor();
				await page.getByLabel("As known on").fill("");
				await page.getByRole("button", { name: "Search", exact: true }).click();
				const found = page.getByRole("article", { name: "Ida looks after the cat" });
				await found.getByRole("button", { name: /^Correct/ }).waitFor();
			});
		},
		patienceMs,
	);

	for (const colorScheme of ["light", "dark"] as const)
		test(
			`axe finds nothing serious, ${colorScheme}, on a phone`,
			() =>
				openConsole(server, { viewport: narrow, colorScheme }, async (page) => {
					await openMemories(page, "mara");
					const row = page.getByRole("article", { name: /Porto/ });
					await row.getByRole("button", { name: /^History and evidence/ }).click();
					await row.locator("blockquote").first().waitFor();
					await expectAccessible(page, "memories");
					await row.getByRole("button", { name: /^Forget/ }).click();
					await page.getByRole("alertdialog").waitFor();
					await expectAccessible(page, "the question before forgetting");
				}),
			patienceMs,
		);
});
