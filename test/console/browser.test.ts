/** The console in a browser: wide and narrow, light and dark, by mouse and by keyboard alone, without a request to another host. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { browserPath, sayWithoutBrowser } from "../doubles/browser.ts";
import { ask, choose, expectAccessible, expectNarrow, linkTo, narrow, openConsole, patienceMs, signInWith, tabTo, wide } from "../doubles/console.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { pageSize, textBaseline, textLeft, textPdf } from "../doubles/text-pdf.ts";
import { until } from "../doubles/until.ts";

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	/** A website whose pages come when they are released. */
	let slow: ReturnType<typeof Bun.serve>;
	const holding = new Map<string, Promise<void>>();
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-console-test-"));
		slow = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			idleTimeout: 0,
			fetch: async (request) => {
				const { pathname } = new URL(request.url);
				await holding.get(pathname);
				return new Response(`<title>${pathname}</title><p>The pilot boat waits at the pier.</p>`, { headers: { "content-type": "text/html" } });
			},
		});
		server = await startServerProcess(folder, { CAIRN_FETCH_ALLOW: `127.0.0.1:${slow.port}` });
	}, patienceMs);
	afterAll(async () => {
		await server.kill("SIGTERM");
		await slow.stop(true);
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	const inBrowser = (look: Parameters<typeof openConsole>[1], act: (page: Page) => Promise<void>) => openConsole(server, look, act);
	const signIn = (page: Page) => signInWith(page, server);

	/** Three files go in, are found, and a memory of theirs is corrected, forgotten and brought back. */
	async function journey(page: Page, container: string, name: string): Promise<void> {
		await signIn(page);
		await linkTo(page, "Documents").click();
		await page.getByRole("combobox", { name: "Container" }).fill(container);
		await page.keyboard.press("Escape");
		await dropFiles(page, folder, {
			[`${container}-ferry.pdf`]: textPdf([`The harbour office of ${name} is closed.`, `The ferry ${name} leaves Gullhaven at half past six.`]),
			[`${container}-person.txt`]: `${name}: My name is ${name} Thorne. I live in Saltmarsh and I am allergic to latex.`,
			[`${container}-tools.md`]: `# Tools of ${name}\n\nThe truing stand never leaves the workshop.`,
		});
		await page.getByText("3 of 3 finished").waitFor();

		await linkTo(page, "Search").click();
		await page.getByLabel("Query").fill(`when does the ferry ${name} leave`);
		await page.getByRole("button", { name: "Search", exact: true }).click();
		await page
			.getByRole("region", { name: "Documents" })
			.getByRole("link", { name: `${container}-ferry.pdf` })
			.click();
		await page.getByRole("img", { name: /^Page 2 of 2 .*Marked: .*half past six/s }).waitFor();
		await page.locator(".chunk.wanted").getByText("half past six").waitFor();
		expect(await placeOfMark(page)).toEqual({ left: textLeft, baseline: textBaseline });
		await expectNarrow(page, "a page with its hit");

		await page.goto(`${server.address}/#/memories?container=${container}`);
		const known = page.getByRole("article", { name: /Saltmarsh/ }).first();
		await known.getByRole("button", { name: /^History and evidence/ }).click();
		await known.locator("mark").getByText("Saltmarsh").waitFor();
		await known.getByRole("button", { name: /^Correct/ }).click();
		await page.getByLabel("Corrected memory").fill(`${name} lives in Port Ellery.`);
		await page.getByRole("button", { name: "Save" }).click();
		const corrected = page.getByRole("article", { name: `${name} lives in Port Ellery.` });
		await corrected.getByText("version 2").first().waitFor();
		await corrected.getByText("Saltmarsh").first().waitFor();
		await page.getByRole("button", { name: "Undo" }).click();
		const row = page.getByRole("article", { name: /Saltmarsh/ }).first();
		await row.getByText("version 3").first().waitFor();
		const forget = async () => {
			await row.getByRole("button", { name: /^Forget/ }).click();
			await page.getByRole("alertdialog").getByRole("button", { name: "Forget" }).click();
		};
		await forget();
		await row.getByRole("button", { name: /^Bring back/ }).click();
		await forget();
		await page.getByRole("button", { name: "Undo" }).click();
		await row.getByRole("button", { name: /^Correct/ }).waitFor();
		await expectNarrow(page, "memories");

		const key = await keyFor(`${container} key`);
		await page.goto(`${server.address}/#/access`);
		await page.getByRole("button", { name: `Revoke “${container} key”` }).click();
		await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
		await page.getByRole("article", { name: `${container} key` }).waitFor({ state: "detached" });
		expect(await statusWith(key)).toBe(401);
		await expectNarrow(page, "containers and keys");
	}

	/** Of a program, which may read. */
	async function keyFor(name: string): Promise<string> {
		const { key } = await ask(server, "POST", "/v3/auth/agent-key", { name, permission: "read" });
		expect(await statusWith(String(key))).toBe(200);
		return String(key);
	}

	async function statusWith(key: string): Promise<number> {
		return (await fetch(`${server.address}/v3/session`, { headers: { authorization: `Bearer ${key}` } })).status;
	}

	/** The same by keyboard alone. */
	async function keyboardJourney(page: Page): Promise<void> {
		const press = async (name: string) => {
			await tabTo(page, name);
			await page.keyboard.press("Enter");
		};
		await page.getByLabel("API key").waitFor();
		await page.keyboard.type(server.key ?? "");
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: "Home" }).waitFor();
		await press("Documents");
		await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
		await tabTo(page, "Container");
		await page.keyboard.type("keys");
		await page.keyboard.press("Escape");
		// Without a mouse files are chosen.
		const chooser = page.waitForEvent("filechooser");
		await press("Choose files");
		await (await chooser).setFiles(
			await writeFiles(folder, {
				"keys-ferry.pdf": textPdf(["The harbour office of Imke is closed.", "The ferry Imke leaves Gullhaven at half past six."]),
				"keys-person.txt": "Imke: My name is Imke Thorne. I live in Saltmarsh and I am allergic to latex.",
				"keys-tools.md": "# Tools of Imke\n\nThe truing stand never leaves the workshop.",
			}),
		);
		await page.getByText("3 of 3 finished").waitFor();
		await press("Search");
		await page.getByRole("heading", { name: "Search", exact: true }).waitFor();
		await tabTo(page, "Query");
		await page.keyboard.type("when does the ferry Imke leave");
		await page.keyboard.press("Enter");
		await page.getByRole("region", { name: "Documents" }).getByRole("link", { name: "keys-ferry.pdf" }).waitFor();
		await press("keys-ferry.pdf");
		await page.getByRole("img", { name: /^Page 2 of 2 .*Marked: .*half past six/s }).waitFor();
		await press("Previous page");
		await page.getByRole("img", { name: /^Page 1 of 2/ }).waitFor();
		await press("Next page");
		await page.getByRole("img", { name: /^Page 2 of 2 .*Marked/s }).waitFor();
		await press("Enlarge");
		await page.locator(".sheet-paper.large").waitFor();
		await page.goto(`${server.address}/#/memories?container=keys`);
		const known = page.getByRole("article", { name: /Saltmarsh/ }).first();
		const was = (await known.getAttribute("aria-label")) ?? "";
		await press(`Correct “${was}”`);
		await page.getByLabel("Corrected memory").waitFor();
		await page.keyboard.press("ControlOrMeta+a");
		await page.keyboard.type("Imke lives in Port Ellery.");
		await press("Save");
		await page.getByRole("article", { name: "Imke lives in Port Ellery." }).waitFor();
		await press("Undo");
		await page.getByRole("article", { name: was, exact: true }).getByText("version 3").first().waitFor();
		const key = await keyFor("keyboard key");
		await press("Containers and keys");
		await page.getByRole("article", { name: "keyboard key" }).waitFor();
		await press("Revoke “keyboard key”");
		await page.getByRole("alertdialog").waitFor();
		await press("Revoke");
		await page.getByRole("button", { name: "Revoke “keyboard key”" }).waitFor({ state: "detached" });
		expect(await statusWith(key)).toBe(401);
	}

	test(
		"files are dropped, read, found and opened on their page; a memory is corrected, forgotten and brought back; a key is revoked",
		() => inBrowser({ viewport: wide }, (page) => journey(page, "wide", "Leonie")),
		patienceMs,
	);

	test(
		"the same on a phone, where nothing is wider than the screen",
		() => inBrowser({ viewport: narrow }, (page) => journey(page, "narrow", "Anselm")),
		patienceMs,
	);

	test("the same by keyboard alone", () => inBrowser({ viewport: wide }, keyboardJourney), patienceMs);

	test(
		"a folder is dropped with the folders inside of it: its files keep their paths, hidden ones stay out; of too many none is taken",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await linkTo(page, "Documents").click();
				await page.getByRole("combobox", { name: "Container" }).fill("letters");
				await page.keyboard.press("Escape");
				for (const [path, text] of [
					["may.txt", "In May the ferry was painted."],
					["2026/june/storm.md", "# June\n\nA storm took the jetty."],
					[".git/config", "secret"],
					["2026/.hidden.txt", "secret"],
				] as const)
					await Bun.write(join(folder, "letters", path), text);
				await dropOnPage(page, [join(folder, "letters")]);
				await page.getByText("1 hidden file of the folder was left out.").waitFor();
				await page.getByText("2 of 2 finished").waitFor();
				const stored = page.getByRole("region", { name: "Stored documents" });
				await stored.getByText("· /letters/2026/june/storm.md").waitFor();
				await stored.getByText("· /letters/may.txt").waitFor();
				const listed = await ask(server, "POST", "/v3/documents/list", { containerTags: ["letters"] });
				const paths = (listed["memories"] as readonly { readonly filepath: string }[]).map(({ filepath }) => filepath);
				expect(paths.toSorted()).toEqual(["/letters/2026/june/storm.md", "/letters/may.txt"]);
				await Promise.all(Array.from({ length: 2_001 }, (_, i) => Bun.write(join(folder, "archive", `${i}.txt`), `Note ${i}`)));
				await dropOnPage(page, [join(folder, "archive")]);
				await page.getByText("Nothing was added: these are more than 2,000 files.").waitFor();
				await page.getByText("2 of 2 finished").waitFor();
			}),
		patienceMs,
	);

	/** An address that is read only when it is released: until then its document stays at that stage. */
	async function addHeldAddress(page: Page, name: string): Promise<{ readonly release: () => void }> {
		const held = Promise.withResolvers<void>();
		holding.set(`/${name}`, held.promise);
		await linkTo(page, "Documents").click();
		await page.getByRole("tab", { name: "Address" }).click();
		await page.getByRole("textbox", { name: "Address" }).fill(`${slow.url.origin}/${name}`);
		await page.getByRole("button", { name: "Add the address" }).click();
		return { release: held.resolve };
	}

	test(
		"the server's stream tells the stages of what was added",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				// The state of a document cannot be asked for, so all that is seen of it was told.
				await page.route("**/v3/documents/documents/by-ids", (route) => route.fulfill({ json: { documents: [] } }));
				const { release } = await addHeldAddress(page, "told");
				const added = page.getByRole("region", { name: "Just added" });
				await added.getByText("Reading").waitFor();
				release();
				await added.getByText("1 of 1 finished").waitFor();
			}),
		patienceMs,
	);

	test(
		"without the stream the console asks how far they are, and listens again as soon as it can",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await page.route("**/v3/events*", (route) => route.fulfill({ contentType: "text/event-stream", body: "" }));
				const asked = await addHeldAddress(page, "asked");
				const added = page.getByRole("region", { name: "Just added" });
				await added.getByText("Reading").waitFor();
				asked.release();
				await added.getByText("1 of 1 finished").waitFor();
				const again = await addHeldAddress(page, "again");
				const stream = page.waitForResponse((response) => response.url().includes("/v3/events") && response.headers()["transfer-encoding"] === "chunked");
				await page.unroute("**/v3/events*");
				await stream;
				await page.route("**/v3/documents/documents/by-ids", (route) => route.fulfill({ json: { documents: [] } }));
				again.release();
				await added.getByText("2 of 2 finished").waitFor();
			}),
		patienceMs,
	);

	test(
		"two settings are compared: where a hit was with the first, why it scores as it does, and both as code",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				const note = { content: "The lighthouse keeper of Skerry feeds two goats.", containerTag: "skerry", metadata: { title: "Skerry" } };
				const { id } = await ask(server, "POST", "/v3/documents", { ...note, dreaming: "instant" });
				await until(async () => (await ask(server, "GET", `/v3/documents/${String(id)}`))["dreamingStatus"] === "done");
				await signIn(page);
				await linkTo(page, "Search").click();
				await page.getByRole("button", { name: "Parameters" }).click();
				await page.getByLabel("Query").fill("goats on an island");
				await page.getByLabel("Filters").fill('{"title": "nothing has this title"}');
				await page.getByText("Compare with other settings").click();
				const second = page.getByRole("group", { name: "Second settings" });
				await second.getByLabel("Filters").fill('{"title": "Skerry"}');
				await page.getByRole("button", { name: "Search", exact: true }).click();
				await page.getByRole("region", { name: "Documents, first settings" }).getByText("Nothing was found.").waitFor();
				const found = page.getByRole("region", { name: "Documents, second settings" });
				await found.getByText("not found with the first settings").waitFor();
				await found.getByRole("button", { name: "Why this score of Skerry" }).click();
				await found.getByText("By its words").waitFor();
				await expectAccessible(page, "compared settings");
				const code = page.getByRole("region", { name: "This search as code" });
				await code.getByText("nothing has this title").first().waitFor();
				await choose(page, "With", "The second settings");
				await code.getByText("nothing has this title").first().waitFor({ state: "detached" });
				await page.getByText("Compare with other settings").click();
				await page.getByLabel("Filters").fill('{"title": "Skerry"}');
				await page.getByRole("button", { name: "Search", exact: true }).click();
				const documents = page.getByRole("region", { name: "Documents", exact: true });
				await documents.getByRole("link", { name: "Skerry" }).waitFor();
				const remark = documents.getByText("Nothing seems to answer this.");
				expect(await remark.count()).toBe(0);
				await page.getByLabel("Query").fill("capital of Peru");
				await page.getByRole("button", { name: "Search", exact: true }).click();
				await remark.waitFor();
				await documents.getByRole("link", { name: "Skerry" }).waitFor();
			}),
		patienceMs,
	);

	test(
		"signing in and searching need no mouse",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await page.getByLabel("API key").waitFor();
				await page.keyboard.type("sm_wrong");
				await page.keyboard.press("Enter");
				await page.getByText("This server does not know that key.").waitFor();
				await page.keyboard.press("ControlOrMeta+a");
				await page.keyboard.type(server.key ?? "");
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: "Home" }).waitFor();
				await tabTo(page, "Search");
				await page.keyboard.press("Enter");
				await page.getByRole("heading", { name: "Search", exact: true }).waitFor();
				await tabTo(page, "Query");
				await page.keyboard.type("where is the truing stand");
				await page.keyboard.press("Enter");
				await page
					.getByText(/\d+ results? in \d+ ms/)
					.first()
					.waitFor();
			}),
		patienceMs,
	);

	test(
		"a key is gone with its tab, unless one stays signed in; signing out forgets it",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				const kept = () => page.evaluate(() => [sessionStorage.length, localStorage.length]);
				await signIn(page);
				expect(await kept()).toEqual([1, 0]);
				await page.getByRole("button", { name: "Sign out" }).click();
				await page.getByLabel("API key").waitFor();
				expect(await kept()).toEqual([0, 0]);
				await page.getByText("Stay signed in on this browser").click();
				await signIn(page);
				expect(await kept()).toEqual([0, 1]);
				await page.reload();
				await page.getByRole("heading", { name: "Home" }).waitFor();
			}),
		patienceMs,
	);

	test(
		"a document is deleted after a question, and comes back",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await linkTo(page, "Documents").click();
				await page.getByRole("tab", { name: "Text" }).click();
				await page.getByRole("textbox", { name: "Text" }).fill("A note that will be deleted.");
				await page.getByRole("button", { name: "Add the text" }).click();
				const row = page.getByRole("region", { name: "Stored documents" }).getByRole("article", { name: /A note that will be deleted/ });
				await row.getByText("Done").waitFor();
				await row.getByRole("button", { name: /^Delete/ }).click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
				await row.waitFor({ state: "detached" });
				await page.getByRole("button", { name: "Undo" }).click();
				await row.getByText("Done").waitFor();
			}),
		patienceMs,
	);

	test(
		"a document is read again when asked",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await linkTo(page, "Documents").click();
				await page.getByRole("tab", { name: "Text" }).click();
				await page.getByRole("textbox", { name: "Text" }).fill("The lantern of the pier burns all night.");
				await page.getByRole("button", { name: "Add the text" }).click();
				const row = page.getByRole("region", { name: "Stored documents" }).getByRole("article", { name: /The lantern of the pier/ });
				await row.getByText("Done").waitFor();
				await row.getByRole("link").click();
				const again = page.waitForResponse((response) => response.url().endsWith("/reprocess"));
				await page.getByRole("button", { name: "Read again" }).click();
				const { id } = (await (await again).json()) as { readonly id: string };
				expect(page.url()).toContain(id);
				await page.getByText(/is being read again\.$/).waitFor();
				const stored = await until(async () => {
					const document = await ask(server, "GET", `/v3/documents/${id}`);
					return document["status"] === "done" && document;
				});
				expect(stored["content"]).toBe("The lantern of the pier burns all night.");
				await page.getByRole("button", { name: "Read again" }).waitFor();
			}),
		patienceMs,
	);

	test(
		"a file that cannot be read says why, and is tried again when asked",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await linkTo(page, "Documents").click();
				await dropFiles(page, folder, { "broken.pdf": "%PDF-1.7 and nothing else" });
				const row = page.getByRole("region", { name: "Stored documents" }).getByRole("article", { name: "broken.pdf" });
				const again = page.waitForResponse((response) => response.url().endsWith("/reprocess"));
				await row.getByRole("button", { name: "Try again" }).click();
				expect((await again).status()).toBe(200);
				await row.getByText("Failed").waitFor();
			}),
		patienceMs,
	);

	test(
		"an address that cannot be fetched says why, and is tried again when asked",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await linkTo(page, "Documents").click();
				await page.getByRole("tab", { name: "Address" }).click();
				await page.getByRole("textbox", { name: "Address" }).fill("nowhere");
				await page.getByRole("button", { name: "Add the address" }).click();
				await page.getByText("Enter an address that begins with http:// or https://.").waitFor();
				// Only public addresses are fetched, so nothing is asked of anybody.
				await page.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:9/page");
				await page.getByRole("button", { name: "Add the address" }).click();
				const row = page.getByRole("region", { name: "Stored documents" }).getByRole("article", { name: "http://127.0.0.1:9/page" });
				const again = page.waitForResponse((response) => response.url().endsWith("/reprocess"));
				await row.getByRole("button", { name: "Try again" }).click();
				expect((await again).status()).toBe(200);
				await row.getByText("Failed").waitFor();
			}),
		patienceMs,
	);

	test(
		"the list goes from page to page and keeps to a container and a state",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				const documents = Array.from({ length: 45 }, (_, i) => ({ content: `Note number ${i} of many.` }));
				const body = JSON.stringify({ documents, containerTag: "many" });
				const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
				expect((await fetch(`${server.address}/v3/documents/batch`, { method: "POST", headers, body })).status).toBe(200);
				await signIn(page);
				await linkTo(page, "Documents").click();
				await choose(page, "In container", "many");
				const rows = page.getByRole("region", { name: "Stored documents" }).getByRole("article");
				const at = async (words: string, count: number) => {
					await page.getByText(words).waitFor();
					await until(async () => (await rows.count()) === count);
				};
				await at("Page 1 · 45 documents", 20);
				await page.getByRole("button", { name: "Older", exact: true }).click();
				await at("Page 2 · 45 documents", 20);
				await page.getByRole("button", { name: "Older", exact: true }).click();
				await at("Page 3 · 45 documents", 5);
				expect(await page.getByRole("button", { name: "Older", exact: true }).isDisabled()).toBe(true);
				await page.getByRole("button", { name: "Newer", exact: true }).click();
				await at("Page 2 · 45 documents", 20);
				await choose(page, "State", "Failed");
				await page.getByText("No document is in this state and container.").waitFor();
			}),
		patienceMs,
	);

	test(
		"a key that is bound to a container sees no more than that, and an admin revokes it",
		() =>
			inBrowser({ viewport: wide }, async (page) => {
				await signIn(page);
				await linkTo(page, "Containers and keys").click();
				await page.getByRole("combobox", { name: "For the container" }).fill("guests");
				await page.keyboard.press("Escape");
				await page.getByLabel("Name").fill("For guests");
				await page.getByRole("button", { name: "Make the key" }).click();
				const made = (await page.locator(".made-key pre").textContent()) ?? "";
				await page.getByRole("article", { name: "For guests" }).waitFor();
				const guest = await page.context().newPage();
				await guest.goto(server.address);
				await guest.getByLabel("API key").fill(made);
				await guest.getByRole("button", { name: "Sign in" }).click();
				await guest.getByText("this key may only read").waitFor();
				await page.getByRole("button", { name: /^Revoke “For guests”/ }).click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
				await guest.getByText("The server no longer accepts this key").waitFor();
			}),
		patienceMs,
	);

	/** @returns the id of the document */
	async function storePdf(): Promise<string> {
		const form = new FormData();
		form.set("file", new File([textPdf(["The lamp of the pier is trimmed at dusk."])], "pier.pdf"));
		const headers = { authorization: `Bearer ${server.key}` };
		const { id } = (await (await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers, body: form })).json()) as { readonly id: string };
		await until(async () => (await ask(server, "GET", `/v3/documents/${id}`))["status"] === "done");
		return id;
	}

	for (const colorScheme of ["light", "dark"] as const) {
		test(
			`axe finds nothing serious on any page, ${colorScheme}`,
			() =>
				inBrowser({ viewport: wide, colorScheme }, async (page) => {
					const look = (where: string) => expectAccessible(page, where);
					await page.getByLabel("API key").waitFor();
					await look("sign-in");
					await signIn(page);
					await page.locator(".rows a").first().waitFor();
					await look("home");
					await linkTo(page, "Documents").click();
					await page.locator("article.row").first().waitFor();
					await look("documents");
					await page
						.getByRole("button", { name: /^Delete/ })
						.first()
						.click();
					await page.getByRole("alertdialog").waitFor();
					await look("question");
					await page.keyboard.press("Escape");
					await page.locator("article.row a").first().click();
					await page.getByRole("tab", { name: "Chunks" }).click();
					await look("document");
					await page.goto(`${server.address}/#/documents/${await storePdf()}?chunk=0`);
					await page.locator(".sheet-mark").waitFor();
					await look("a page with its hit");
					await linkTo(page, "Search").click();
					await page.getByRole("button", { name: "Parameters" }).click();
					await page.getByLabel("Query").fill("Leonie");
					await page.getByRole("button", { name: "Search", exact: true }).click();
					await page
						.getByText(/\d+ results? in \d+ ms/)
						.nth(1)
						.waitFor();
					await look("search");
					await linkTo(page, "Memories").click();
					await page.locator("article.row").first().waitFor();
					await page
						.getByRole("button", { name: /^History and evidence/ })
						.first()
						.click();
					await look("memories");
					await linkTo(page, "Containers and keys").click();
					await page.getByRole("article", { name: "made at the first start" }).waitFor();
					await look("access");
				}),
			patienceMs,
		);
	}
});

/** Where the marked line begins on its page, in points: its letters stand a little above the lower end of the mark. */
async function placeOfMark(page: Page): Promise<{ readonly left: number; readonly baseline: number }> {
	// Both at once: the page may be scrolled in between.
	const [paper, mark] = await page.locator(".sheet-paper").evaluate((sheet) => {
		const placeOf = (selector: string) => sheet.querySelector(selector)?.getBoundingClientRect().toJSON() as DOMRect;
		return [placeOf("img"), placeOf(".sheet-mark")] as const;
	});
	const descent = 3;
	const perPoint = paper.width / pageSize[0];
	const [left, bottom] = [(mark.x - paper.x) / perPoint, (mark.y + mark.height - paper.y) / perPoint];
	return { left: Math.round(left), baseline: Math.abs(bottom - descent - textBaseline) < descent ? textBaseline : bottom };
}

/** As a person drops them on the page: the browser itself is told of the drag. */
async function dropFiles(page: Page, folder: string, files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<void> {
	await dropOnPage(page, await writeFiles(folder, files));
}

/** @returns their paths */
async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): Promise<string[]> {
	for (const [name, content] of Object.entries(files)) await Bun.write(join(folder, name), content);
	return Object.keys(files).map((name) => join(folder, name));
}

async function dropOnPage(page: Page, files: readonly string[]): Promise<void> {
	const zone = page.locator(".drop-zone");
	await zone.scrollIntoViewIfNeeded();
	const { x, y, width } = (await zone.boundingBox()) ?? { x: 0, y: 0, width: 0 };
	const session = await page.context().newCDPSession(page);
	const data = { items: [], files: [...files], dragOperationsMask: 1 };
	for (const type of ["dragEnter", "dragOver", "drop"] as const) await session.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + 20, data });
	await session.detach();
}
