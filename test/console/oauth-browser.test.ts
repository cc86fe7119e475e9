/** The page of consent in a browser: a person signs in with a key, and the browser goes back to the client with a code. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserPath, openBrowser, sayWithoutBrowser, seriousFaultsOf } from "../doubles/browser.ts";
import { expectAccessible } from "../doubles/console.ts";
import { freePort } from "../doubles/free-port.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const patienceMs = 120_000;

sayWithoutBrowser();

describe.skipIf(browserPath === null)("in a browser", () => {
	let folder: string;
	let server: ServerProcess;
	let client: Bun.Server<undefined>;
	let redirectUri: string;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-oauth-browser-"));
		const port = String(await freePort());
		server = await startServerProcess(folder, { PORT: port, CAIRN_OAUTH_ADDRESS: `http://127.0.0.1:${port}` });
		client = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			fetch: () => new Response("<!doctype html><title>client</title>connected", { headers: { "content-type": "text/html" } }),
		});
		redirectUri = `http://127.0.0.1:${client.port}/callback`;
	}, patienceMs);
	afterAll(async () => {
		await client.stop(true);
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}, patienceMs);

	async function authorizeUrl(): Promise<string> {
		const body = JSON.stringify({ client_name: "Harbour agent", redirect_uris: [redirectUri] });
		const registered = await fetch(`${server.address}/oauth/register`, { method: "POST", headers: { "content-type": "application/json" }, body });
		const { client_id } = (await registered.json()) as { client_id: string };
		const query = { response_type: "code", client_id, redirect_uri: redirectUri, code_challenge: "a".repeat(43), code_challenge_method: "S256", state: "s" };
		return `${server.address}/oauth/authorize?${new URLSearchParams(query)}`;
	}

	/** As a client and a person do it without a browser. @returns an access token */
	async function connected(): Promise<string> {
		const verifier = "v".repeat(43);
		const url = new URL(await authorizeUrl());
		url.searchParams.set("code_challenge", createHash("sha256").update(verifier).digest("base64url"));
		const shown = await fetch(url);
		const ticket = /name="ticket" value="([^"]+)"/.exec(await shown.text())?.[1] ?? "";
		const send = async (path: string, fields: Readonly<Record<string, string>>) =>
			fetch(`${server.address}${path}`, {
				method: "POST",
				headers: { "content-type": "application/x-www-form-urlencoded", cookie: shown.headers.get("set-cookie")?.split(";")[0] ?? "" },
				body: new URLSearchParams(fields).toString(),
				redirect: "manual",
			});
		const allowed = await send("/oauth/authorize", { ticket, role: "read", decision: "allow", key: server.key ?? "" });
		const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
		const client_id = url.searchParams.get("client_id") ?? "";
		const given = await send("/oauth/token", { grant_type: "authorization_code", code, code_verifier: verifier, client_id, redirect_uri: redirectUri });
		return ((await given.json()) as { readonly access_token: string }).access_token;
	}

	for (const colorScheme of ["light", "dark"] as const) {
		test(
			`a wrong key is told, the right one goes back, axe finds nothing serious, a phone is wide enough, ${colorScheme}`,
			async () => {
				const { context, close } = await openBrowser({ viewport: { width: 390, height: 844 }, colorScheme });
				try {
					const page = await context.newPage();
					const complaints: string[] = [];
					page.on("console", (message) => complaints.push(...(message.type() === "error" ? [message.text()] : [])));
					await page.goto(await authorizeUrl());
					await page.getByRole("heading", { name: "Harbour agent asks for your memories" }).waitFor();
					expect(await seriousFaultsOf(page)).toEqual([]);
					expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);
					await page.getByLabel("search and read", { exact: true }).check();
					await page.getByLabel(/API key/).fill("sm_wrong");
					await page.getByRole("button", { name: "Allow" }).click();
					await page.getByRole("alert").getByText("This server does not know that key.").waitFor();
					expect(await seriousFaultsOf(page)).toEqual([]);
					await page.getByLabel(/API key/).fill(server.key ?? "");
					await page.keyboard.press("Enter");
					await page.getByText("connected").waitFor();
					const back = new URL(page.url());
					expect([back.origin + back.pathname, back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual([redirectUri, "s", server.address]);
					expect(back.searchParams.get("code")).toStartWith("sm_code_");
					// A wrong key is answered 401, which Chromium writes down.
					expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
				} finally {
					await close();
				}
			},
			patienceMs,
		);
	}

	test(
		"a person sees in the console which client has access, and ends it",
		async () => {
			const { context, close } = await openBrowser({ viewport: { width: 390, height: 844 } });
			try {
				const token = await connected();
				const mcp = () =>
					fetch(`${server.address}/mcp`, {
						method: "POST",
						headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
						body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
					}).then(({ status }) => status);
				expect(await mcp()).toBe(200);
				const page = await context.newPage();
				await page.goto(server.address);
				await page.getByLabel("API key").fill(server.key ?? "");
				await page.getByRole("button", { name: "Sign in" }).click();
				await page.getByRole("heading", { name: "Home" }).waitFor();
				await page.goto(`${server.address}/#/access`);
				const row = page.getByRole("article", { name: "Harbour agent" });
				await row.getByText("only reads · all containers of the key").waitFor();
				await expectAccessible(page, "connected clients");
				await row.getByRole("button", { name: /^Disconnect/ }).click();
				await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
				await page.getByText("No client is connected.").waitFor();
				expect(await mcp()).toBe(401);
			} finally {
				await close();
			}
		},
		patienceMs,
	);
});
