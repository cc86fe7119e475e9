/** The chat in a browser: there only where a provider is configured, and each answer with the memories the model was given. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { type ChatProvider, saying, startChatProvider } from "../doubles/chat-provider.ts";
import { ask, expectAccessible, linkTo, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let provider: ChatProvider;
	let server: ServerProcess;
	beforeAll(async () => {
		provider = await startChatProvider(saying("You live in Porto."));
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		server = await startServerProcess(folder, { CAIRN_ROUTER_URL: provider.baseUrl, CAIRN_ROUTER_KEY: "sk-of-the-operator" });
		await ask(server, "POST", "/v4/memories", { containerTag: "mara", memories: [{ content: "Mara lives in Porto", isStatic: true }] });
		await ask(server, "POST", "/v3/documents", { containerTag: "mara", content: "Mara: I keep nine bees in a hive on my balcony." });
		await until(async () => JSON.stringify(await ask(server, "POST", "/v4/memories/list", { containerTags: ["mara"] })).includes("nine bees"));
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await provider.stop();
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	test(
		"a question is asked by keyboard, and the answer shows what the model was given; the second question carries the first",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				await linkTo(page, "Chat").click();
				await page.getByText("A container; mara is asked.").waitFor();
				await page.getByRole("button", { name: "stub-1 Model" }).waitFor();
				await tabTo(page, "Your question");
				await page.keyboard.type("Where do I live?");
				await tabTo(page, "Ask");
				await page.keyboard.press("Enter");
				await page.getByText("You live in Porto.").waitFor();
				await page.getByRole("button", { name: /^Known: [12] memor/ }).click();
				await page.locator(".chat li li").getByText("Mara lives in Porto").waitFor();
				expect(provider.last().system).toContain("Mara lives in Porto");
				await page.getByLabel("Your question").fill("Since when?");
				await page.getByRole("button", { name: "Ask", exact: true }).click();
				await until(() => provider.last().messages.filter(({ role }) => role !== "system").length === 3);
				await until(async () => JSON.stringify(await ask(server, "POST", "/v3/documents/list", { containerTags: ["mara"] })).includes("console-"));
			}),
		patienceMs,
	);

	test(
		"an answer cites its sources: a memory that the model was given leads to the words in its document",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				await linkTo(page, "Chat").click();
				await page.getByLabel("Your question").fill("How many bees are on the balcony?");
				await page.getByRole("button", { name: "Ask", exact: true }).click();
				await page.getByRole("button", { name: /^Known/ }).click();
				await page.getByRole("button", { name: /^Where it is said.*nine bees/ }).click();
				await page.locator("mark").getByText("nine bees").waitFor();
				await page.getByRole("link", { name: /^Read on in the source/ }).click();
				await page.getByRole("heading", { level: 1 }).waitFor();
				expect(page.url()).toMatch(/#\/documents\/\w+\?chunk=0&words=/);
			}),
		patienceMs,
	);

	test(
		"a key that only reads is not offered it, and neither is anybody where no provider is configured",
		async () => {
			const { key } = await ask(server, "POST", "/v3/auth/agent-key", { name: "a reader", permission: "read" });
			const plainFolder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
			const plain = await startServerProcess(plainFolder);
			for (const each of [{ ...server, key: String(key) }, plain])
				await openConsole(each, { viewport: wide }, async (page) => {
					await signInWith(page, each);
					expect(await linkTo(page, "Chat").count()).toBe(0);
					await page.goto(`${each.address}/#/chat`);
					await page.getByRole("heading", { name: "There is no such page" }).waitFor();
				});
			await plain.kill("SIGTERM");
			await rm(plainFolder, { recursive: true, force: true });
		},
		patienceMs,
	);

	for (const colorScheme of ["light", "dark"] as const)
		test(
			`axe finds nothing serious, ${colorScheme}, on a phone`,
			() =>
				openConsole(server, { viewport: narrow, colorScheme }, async (page) => {
					await signInWith(page, server);
					await linkTo(page, "Chat").click();
					await page.getByLabel("Your question").fill("Where do I live?");
					await page.getByRole("button", { name: "Ask", exact: true }).click();
					await page.getByRole("button", { name: /^Known/ }).click();
					await expectAccessible(page, "chat");
				}),
			patienceMs,
		);
});
