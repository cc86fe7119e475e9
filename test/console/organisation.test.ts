/** The pages of the organisation in a browser: settings, usage, the audit log, webhooks, connections and backups, for administrators alone. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, choose, expectAccessible, linkTo, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type GithubPeer, peerRepository, startGithubPeer } from "../doubles/github-peer.ts";
import { type GooglePeer, startGooglePeer } from "../doubles/google-peer.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let backups: string;
	let server: ServerProcess;
	/** A website and an address for webhooks. */
	let outside: ReturnType<typeof Bun.serve>;
	let google: GooglePeer;
	let github: GithubPeer;
	const received: string[] = [];
	beforeAll(async () => {
		outside = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			fetch: async (request) => {
				if (request.method === "POST") received.push(await request.text());
				const isPage = new URL(request.url).pathname === "/";
				return isPage
					? new Response("<title>Harbour</title><p>The harbour closes at nine.</p>", { headers: { "content-type": "text/html" } })
					: new Response("", { status: 404 });
			},
		});
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		backups = await mkdtemp(join(tmpdir(), "cairn-console-backups-"));
		google = await startGooglePeer({ "file-of-tides": { name: "Tides.txt", content: "High water comes twice a day." } });
		github = await startGithubPeer({ "harbour/tides": peerRepository({ "README.md": "# Tides" }) });
		github.oauth.pollSeconds = 0.1;
		server = await startServerProcess(folder, {
			...{ CAIRN_OAUTH_GITHUB_ID: github.oauth.clientId, CAIRN_OAUTH_GITHUB_SECRET: github.oauth.clientSecret, CAIRN_OAUTH_GITHUB_URL: github.endpoint },
			...{ CAIRN_FETCH_ALLOW: `127.0.0.1:${outside.port}`, CAIRN_BACKUP_DIR: backups },
			...{ CAIRN_OAUTH_GOOGLE_ID: google.oauth.clientId, CAIRN_OAUTH_GOOGLE_SECRET: google.oauth.clientSecret, CAIRN_OAUTH_GOOGLE_URL: google.endpoint },
		});
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await outside.stop(true);
		google.close();
		github.close();
		await rm(folder, { recursive: true, force: true });
		await rm(backups, { recursive: true, force: true });
	}, patienceMs);

	async function openPart(page: Page, name: string, key = server.key): Promise<void> {
		await signInWith(page, { key });
		await linkTo(page, "Organisation").click();
		await page.getByRole("heading", { name: "Organisation" }).waitFor();
		await page.getByRole("navigation", { name: "Parts of the organisation" }).getByRole("link", { name }).click();
	}

	test(
		"settings are changed by keyboard alone, and what was not touched stays unset",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await openPart(page, "Settings");
				await page.getByLabel("No memories about").waitFor();
				await tabTo(page, "No memories about");
				await page.keyboard.type("salaries\npasswords");
				await tabTo(page, "Length of a chunk");
				await page.keyboard.type("9");
				await tabTo(page, "Save the settings");
				await page.keyboard.press("Enter");
				await page.getByText("chunkSize should be -1, or from 32 to 2048").waitFor();
				await page.getByLabel("Length of a chunk").fill("256");
				await page.getByRole("button", { name: "Add a bucket" }).click();
				await page.getByLabel("Key", { exact: true }).fill("travel");
				await page.getByRole("button", { name: "Save the settings" }).click();
				await page.getByText("The settings were saved.").waitFor();
				const settings = await ask(server, "GET", "/v3/settings");
				expect(settings).toMatchObject({ excludeItems: ["salaries", "passwords"], chunkSize: 256, includeItems: null, shouldLLMFilter: null, modelUses: null });
				expect(settings["profileBuckets"]).toEqual([{ key: "travel", description: "" }]);
				await linkTo(page, "Home").click();
				await openAgain(page, "Audit log");
				await page.getByText("Settings changed").waitFor();
				await page.getByText("with the key made at the first start").first().waitFor();
			}),
		patienceMs,
	);

	async function openAgain(page: Page, name: string): Promise<void> {
		await linkTo(page, "Organisation").click();
		await page.getByRole("navigation", { name: "Parts of the organisation" }).getByRole("link", { name }).click();
	}

	test(
		"a webhook is made, its secret shown once, tested, changed, turned off and deleted, on a phone",
		() =>
			openConsole(server, { viewport: narrow }, async (page) => {
				await openPart(page, "Webhooks");
				await page.getByText("Events are sent nowhere.").waitFor();
				await page.getByRole("textbox", { name: "Address" }).fill(`http://127.0.0.1:${outside.port}/events`);
				await page.getByText("A document failed").click();
				await page.getByRole("button", { name: "Make the webhook" }).click();
				expect(await page.locator(".made-key pre").textContent()).toStartWith("whsec_");
				await expectAccessible(page, "webhooks");
				await page.getByRole("button", { name: "I have kept it" }).click();
				await page.getByText(/whsec_/).waitFor({ state: "detached" });
				const row = page.getByRole("article", { name: /events$/ });
				await row.getByText("document.failed").waitFor();
				await row.getByRole("button", { name: /^Send a test/ }).click();
				await page.getByText("The test message did not arrive").waitFor();
				expect(received.some((message) => message.includes("webhook.test"))).toBe(true);
				await row.getByRole("button", { name: /^Deliveries/ }).click();
				await row.getByText("webhook.test").waitFor();
				await row.getByRole("button", { name: /^Change/ }).click();
				await row.getByRole("textbox", { name: "Note" }).fill("for the watch");
				await row.getByRole("textbox", { name: "Only of containers" }).fill("harbour, pier");
				await row.getByText("A document failed").click();
				await row.getByRole("button", { name: "Save" }).click();
				await row.getByText("for the watch · all events · harbour, pier").waitFor();
				const { webhooks } = await ask(server, "GET", "/v3/webhooks");
				expect(webhooks).toMatchObject([{ description: "for the watch", types: null, containerTags: ["harbour", "pier"], isEnabled: true }]);
				await row.getByRole("button", { name: /^Turn off/ }).click();
				await row.getByText("turned off").waitFor();
				await row.getByRole("button", { name: /^Delete/ }).click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
				await page.getByText("Events are sent nowhere.").waitFor();
			}),
		patienceMs,
	);

	test(
		"a website is connected, synced again, and deleted while its documents stay",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await openPart(page, "Connections");
				await page.getByRole("combobox", { name: "Into the container" }).fill("harbour");
				await page.keyboard.press("Escape");
				await page.getByLabel("Where to begin").fill(`http://127.0.0.1:${outside.port}/`);
				await page.getByRole("button", { name: "Connect", exact: true }).click();
				const row = page.getByRole("article", { name: `http://127.0.0.1:${outside.port}/` });
				await row.getByText("synced · 1 document added or changed").waitFor();
				await row.getByRole("button", { name: /^Sync now/ }).click();
				await page.getByText("A sync has begun.").waitFor();
				await row.getByRole("button", { name: /^Syncs/ }).click();
				await row.locator(".versions li").first().waitFor();
				await expectAccessible(page, "connections");
				await row.getByRole("button", { name: /^Delete/ }).click();
				await page.getByText("Keep its documents").click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
				await page.getByText("Nothing outside is kept in sync.").waitFor();
				const documents = async () => (await ask(server, "POST", "/v3/documents/list", { containerTags: ["harbour"] }))["memories"];
				await until(async () => ((await documents()) as readonly unknown[]).length === 1);
			}),
		patienceMs,
	);

	test(
		"somebody signs in at Google, is told when that fails, and comes back to the connection",
		() =>
			openConsole(
				server,
				{ viewport: wide },
				async (page) => {
					const connect = async () => {
						await choose(page, "Read", "Google Drive");
						await page.getByRole("combobox", { name: "Into the container" }).fill("tides");
						await page.keyboard.press("Escape");
						await page.getByRole("button", { name: "Connect", exact: true }).click();
					};
					await openPart(page, "Connections");
					google.oauth.person = "denies";
					await connect();
					await page.getByText("The sign-in has failed (SIGN_IN_REFUSED).").waitFor();
					await expectAccessible(page, "connections");
					google.oauth.person = "allows";
					await connect();
					const row = page.getByRole("article", { name: "ada@example.com" });
					await row.getByText("synced · 1 document added or changed").waitFor();
					expect(await page.getByText("The sign-in has failed").count()).toBe(0);
					await row.getByRole("button", { name: /^Delete/ }).click();
					await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
					await page.getByText("Nothing outside is kept in sync.").waitFor();
				},
				{ elsewhere: google.endpoint },
			),
		patienceMs,
	);

	test(
		"somebody gets a code for another device, and types it in there",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await openPart(page, "Connections");
				await choose(page, "Read", "GitHub");
				await choose(page, "Sign in", "with a code, on another device");
				await page.getByLabel("Repositories").fill("harbour/tides");
				await page.getByRole("button", { name: "Connect", exact: true }).click();
				const told = (await page.getByText(/^Open https:\/\/github.example\/login\/device on any device/).textContent()) ?? "";
				await expectAccessible(page, "connections");
				expect(github.oauth.enter(/type in (\w{8})\./.exec(told)?.[1] ?? "")).toBe(true);
				const list = async () => (await ask(server, "POST", "/v3/connections/list", { provider: "github" })) as unknown as readonly { readonly id: string }[];
				await until(async () => (await list()).length === 1);
				await ask(server, "DELETE", `/v3/connections/${(await list())[0]?.id}`);
			}),
		patienceMs,
	);

	test(
		"the backup of the start is listed, and one is taken now, on a phone",
		() =>
			openConsole(server, { viewport: narrow }, async (page) => {
				await openPart(page, "Backups");
				await page.getByText(`the newest 7 are kept, in ${backups}`).waitFor();
				const rows = page.getByRole("article", { name: /^cairn-.*Z\.tar$/ });
				await rows.first().waitFor();
				const before = await rows.count();
				await page.getByRole("button", { name: "Take a backup now" }).click();
				await page.getByText("A backup has begun.").waitFor();
				await until(async () => (await rows.count()) === before + 1);
				await expectAccessible(page, "backups");
				// A backup is listed as soon as its file is there, a moment before it counts as done.
				await until(async () => (await ask(server, "GET", "/v3/backups"))["running"] === null);
			}),
		patienceMs,
	);

	test(
		"searches go over to another embedder, and the space that is taken is said",
		() =>
			openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, server);
				await page
					.getByRole("list", { name: "How much there is" })
					.getByText(/^\d[\d.]* [kMGT]B$/)
					.waitFor();
				await openAgain(page, "Models");
				await page.getByText("None is configured: memories are extracted by rules.").waitFor();
				const row = page.getByRole("article", { name: "hashing" });
				await row.getByRole("button", { name: "Use hashing" }).click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Switch" }).click();
				await row.getByText("searches use it").waitFor();
				const embedder = await until(async () => {
					const now = (await ask(server, "GET", "/v3/server"))["embedder"] as { readonly next: unknown };
					return now.next === null && now;
				});
				expect(embedder).toMatchObject({ active: "hashing", requested: "hashing", next: null });
			}),
		patienceMs,
	);

	test(
		"a key that does not administer is not offered any of it, and an address leads nowhere",
		async () => {
			const { key } = await ask(server, "POST", "/v3/auth/agent-key", { name: "a writer", permission: "write" });
			await openConsole(server, { viewport: wide }, async (page) => {
				await signInWith(page, { key: String(key) });
				expect(await linkTo(page, "Organisation").count()).toBe(0);
				await page.goto(`${server.address}/#/organisation/webhooks`);
				await page.getByRole("heading", { name: "There is no such page" }).waitFor();
			});
		},
		patienceMs,
	);

	for (const colorScheme of ["light", "dark"] as const)
		for (const viewport of [wide, narrow])
			test(
				`axe finds nothing serious on any part, ${colorScheme}, ${viewport.width} px wide`,
				() =>
					openConsole(server, { viewport, colorScheme }, async (page) => {
						await openPart(page, "Settings");
						await page.getByRole("button", { name: "Save the settings" }).waitFor();
						await page.getByText("Everything that the operator allows").click();
						await expectAccessible(page, "settings");
						await page.getByRole("button", { name: "Start over" }).click();
						await page.getByLabel("Type RESET to go on").waitFor();
						await expectAccessible(page, "the question before starting over");
						await page.keyboard.press("Escape");
						for (const [name, seen] of [
							["Models", "searches use it"],
							["Usage", "No language model is configured."],
							["Audit log", "with the key"],
							["Webhooks", "Send events to an address"],
							["Connections", "Connect a service"],
							["Backups", "Take a backup now"],
						] as const) {
							await openAgain(page, name);
							await page.locator("main").getByText(seen).first().waitFor();
							await expectAccessible(page, name);
						}
					}),
				patienceMs,
			);
});
