/** What browsers are told with every answer of every route: no guessing of types, no frames, no address for others, and no scripts but ours. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer, withRouter } from "../doubles/test-server.ts";

const patienceMs = 120_000;
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer(["--oauth-address=http://localhost", ...withRouter]);
	client = await server.client();
}, patienceMs);
afterAll(() => server.dispose());

const inBrowser = { accept: "text/html,*/*" };

/** Demands what every answer has. @returns the answer's policy */
function demandProtection(asked: string, { status, headers }: Response): string {
	const policy = headers.get("content-security-policy") ?? "";
	expect([asked, status, headers.get("x-content-type-options")]).toEqual([asked, status, "nosniff"]);
	expect([asked, status, headers.get("referrer-policy")]).toEqual([asked, status, expect.stringMatching(/^(no-referrer|same-origin)$/)]);
	// `sandbox` gives a page an origin of its own, so that a frame of it is harmless.
	expect([asked, status, policy]).toEqual([asked, status, expect.stringMatching(/frame-ancestors 'none'|^sandbox;/)]);
	expect([asked, status, policy]).toEqual([asked, status, expect.stringContaining("default-src 'none'")]);
	return policy;
}

/** A page runs scripts of this server alone, written in files of their own. */
function demandPagePolicy(asked: string, policy: string): void {
	const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'self'";
	expect([asked, scripts]).toEqual([asked, "'self'"]);
	expect([asked, policy]).toEqual([asked, expect.stringContaining("base-uri 'none'")]);
	expect([asked, policy]).toEqual([asked, expect.stringContaining("form-action ")]);
}

test(
	"every route, answered and refused",
	async () => {
		expect(server.app.operations.length).toBeGreaterThan(90);
		let pages = 0;
		for (const { method, path } of server.app.operations) {
			const asked = `${method} ${path}`;
			const url = path.replaceAll(/:\w+/g, "nothing-has-this");
			const answers = [
				await client.send(method, url, method === "GET" ? undefined : {}, { headers: inBrowser }),
				await client.send(method, url, undefined, { headers: { ...inBrowser, authorization: "Bearer wrong-key-of-nobody" } }),
			];
			for (const answer of answers) {
				const policy = demandProtection(asked, answer);
				if (answer.headers.get("content-type")?.startsWith("text/html") === true) {
					demandPagePolicy(asked, policy);
					pages++;
				}
				await answer.body?.cancel();
			}
		}
		expect(pages).toBeGreaterThan(8);
	},
	patienceMs,
);

test(
	"the pages and what they load, a missing route and a wrong method",
	async () => {
		const docs = await (await client.send("GET", "/docs", undefined, { headers: inBrowser })).text();
		const main = await (await client.send("GET", "/", undefined, { headers: inBrowser })).text();
		const swagger = await (await client.send("GET", "/swagger", undefined, { headers: inBrowser })).text();
		const loaded = [docs, main, swagger].flatMap((html) => [...html.matchAll(/(?:src|href)="(\/[^"#]+)"/g)].map(([, url = ""]) => url));
		expect(loaded.length).toBeGreaterThan(10);
		for (const url of new Set(loaded)) demandProtection(url, await client.send("GET", url, undefined, { headers: inBrowser }));
		for (const [method, url] of [
			["GET", "/nowhere"],
			["DELETE", "/health"],
			["GET", "/docs/no-such-page"],
			["HEAD", "/"],
		] as const)
			demandProtection(`${method} ${url}`, await client.send(method, url, undefined, { headers: inBrowser }));
	},
	patienceMs,
);

test(
	"an original is a download in a sandbox, whatever it says it is",
	async () => {
		const hostile = "<html><script>fetch('/v3/documents')</script></html>";
		for (const [name, type] of [
			["page.html", "text/html"],
			["drawing.svg", "image/svg+xml"],
			["page.txt", "text/html"],
			["x.xhtml", "application/xhtml+xml"],
		] as const) {
			const form = new FormData();
			form.set("file", new File([hostile], name, { type }));
			const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
			const { url } = (await (await client.send("GET", `/v3/documents/${id}/file-url`)).json()) as { readonly url: string };
			for (const headers of [inBrowser, { ...inBrowser, range: "bytes=0-9" }, { ...inBrowser, range: "bytes=9999-" }]) {
				const answer = await client.send("GET", url.replace("http://localhost", ""), undefined, { headers });
				const policy = demandProtection(name, answer);
				expect([name, policy]).toEqual([name, "sandbox; default-src 'none'"]);
				expect([name, answer.headers.get("content-disposition")]).toEqual([name, expect.stringMatching(/^attachment; /)]);
			}
		}
	},
	patienceMs,
);
