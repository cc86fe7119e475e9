/** The page of consent in a browser: a person signs in with a key, and the browser goes back to the client with a code. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserPath, openBrowser, sayWithoutBrowser, seriousFaultsOf } from "../doubles/browser.ts";
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
});
