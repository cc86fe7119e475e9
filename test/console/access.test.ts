/** Containers and keys in a browser: a container among many is found, named and deleted; a key for everything is made. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, choose, expectAccessible, linkTo, narrow, openConsole, patienceMs, signInWith, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const containers = 60;

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		server = await startServerProcess(folder);
		const documents = Array.from({ length: containers }, (_, i) => ({ content: `A note of shelf ${i}.`, containerTag: `shelf-${i}` }));
		await ask(server, "POST", "/v3/documents/batch", { documents, taskType: "superrag" });
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	const tags = async () => {
		const listed = (await ask(server, "GET", "/v3/container-tags/list")) as unknown as readonly { readonly containerTag: string; readonly name: string }[];
		return new Map(listed.map(({ containerTag, name }) => [containerTag, name]));
	};

	async function findContainer(page: Page, tag: string) {
		await linkTo(page, "Containers and keys").click();
		await page.getByLabel("Find a container").fill(tag);
		const rows = page.getByRole("region", { name: "Containers" }).getByRole("article");
		await until(async () => (await rows.count()) === 1);
		await rows.getByRole("button", { name: /^Change/ }).click();
		return rows;
	}

	test(
		"a container among many is named, and deleted when its tag is typed",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				const row = await findContainer(page, "shelf-47");
				await row.getByLabel("Name", { exact: true }).fill("Letters");
				await row.getByRole("button", { name: "Save" }).click();
				await page.getByRole("article", { name: "Letters" }).waitFor();
				expect((await tags()).get("shelf-47")).toBe("Letters");
				await page.getByRole("button", { name: /^Delete… the container/ }).click();
				const question = page.getByRole("alertdialog");
				expect(await question.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
				await question.getByLabel("Type shelf-47 to go on").fill("shelf-47");
				await question.getByRole("button", { name: "Delete" }).click();
				await page.getByText("“shelf-47” was deleted with 1 document.").waitFor();
				expect((await tags()).has("shelf-47")).toBe(false);
			}),
		patienceMs,
	);

	test(
		"a container whose name would be refused today can be described",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await page.route("**/v3/container-tags/shelf-21", async (route) => {
					if (route.request().method() !== "GET") return route.continue();
					const response = await route.fetch();
					return route.fulfill({ response, json: { ...(await response.json()), name: "Shelf\u001b of old" } });
				});
				await signInWith(page, server);
				const row = await findContainer(page, "shelf-21");
				await row.getByLabel("What its documents are about").fill("Letters of Ada Lovelace.");
				await row.getByRole("button", { name: "Save" }).click();
				await page.getByText("was changed.").waitFor();
				expect(await ask(server, "GET", "/v3/container-tags/shelf-21")).toMatchObject({ name: null, entityContext: "Letters of Ada Lovelace." });
			}),
		patienceMs,
	);

	test(
		"a container is merged into another",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				await findContainer(page, "shelf-12");
				await page.getByRole("button", { name: /^Merge… the container/ }).click();
				const question = page.getByRole("alertdialog");
				await question.getByRole("combobox", { name: "Into the container" }).fill("shelf-13");
				await page.keyboard.press("Escape");
				await question.getByRole("button", { name: "Merge" }).click();
				await page.getByText("“shelf-12” is being merged into “shelf-13”.").waitFor();
				await until(async () => !(await tags()).has("shelf-12"));
			}),
		patienceMs,
	);

	test(
		"a list of documents is narrowed to a container by typing, by keyboard alone",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				await linkTo(page, "Documents").click();
				const field = page.getByRole("combobox", { name: "In container" });
				await until(async () => (await field.inputValue()) === "All containers");
				await field.focus();
				await page.keyboard.type("shelf-31");
				await page.keyboard.press("ArrowDown");
				await page.keyboard.press("Enter");
				await page.getByText("Page 1 · 1 document").waitFor();
				expect(page.url()).toContain("container=shelf-31");
				await until(async () => (await field.inputValue()) === "shelf-31");
			}),
		patienceMs,
	);

	test(
		"a key for everything is made, and may do what was chosen",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				await linkTo(page, "Containers and keys").click();
				await choose(page, "It reaches", "Everything");
				await choose(page, "It may", "Administer");
				await page.getByRole("button", { name: "Make the key" }).click();
				await page.getByText("Give the key a name.").waitFor();
				await page.getByLabel("Name", { exact: true }).fill("nightly import");
				await page.getByRole("button", { name: "Make the key" }).click();
				const key = (await page.locator(".made-key pre").textContent()) ?? "";
				const session = await ask({ ...server, key }, "GET", "/v3/session");
				expect(session).toMatchObject({ role: "admin", user: { name: "nightly import" } });
			}),
		patienceMs,
	);

	for (const [viewport, colorScheme] of [
		[wide, "light"],
		[narrow, "dark"],
	] as const)
		test(
			`axe finds nothing serious, ${colorScheme}, ${viewport.width} px wide`,
			() =>
				openConsole(server, { viewport, colorScheme }, async (page) => {
					await signInWith(page, server);
					await page.goto(`${server.address}/#/access`);
					await page.getByText("No client is connected.").waitFor();
					await page
						.getByRole("button", { name: /^Change the container/ })
						.first()
						.click();
					await page.getByLabel("What its documents are about").waitFor();
					await expectAccessible(page, "containers and keys");
					await page.getByRole("button", { name: /^Delete… the container/ }).click();
					await page.getByRole("alertdialog").waitFor();
					await expectAccessible(page, "the question before a container is deleted");
					await page.keyboard.press("Escape");
					await page.goto(`${server.address}/#/documents`);
					// A list without options does not open, and they may come after the field.
					await until(async () => {
						await page.getByRole("combobox", { name: "In container" }).press("ArrowDown");
						return page.getByRole("option").first().isVisible();
					});
					// While it is open, all but the field and its options is hidden from screen readers.
					await page.keyboard.press("Escape");
					await expectAccessible(page, "a long choice");
				}),
			patienceMs,
		);
});
