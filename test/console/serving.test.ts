/** How the console is served: to browsers alone, from this server alone, small, and not before somebody asks. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { consoleRoutes, isBrowser } from "../../server/routes/pages/console.ts";
import { startTestServer, type TestServer } from "../doubles/test-server.ts";

/** What Chromium sends. */
const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
/** Compressed, all that the first page needs. */
const bytesMax = 400_000;
const patienceMs = 120_000;

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer();
}, patienceMs);
afterAll(() => server.dispose());

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
	return Promise.resolve(server.app.handle(new Request(`http://localhost${path}`, { headers })));
}

async function page(): Promise<{ readonly response: Response; readonly html: string; readonly assets: readonly string[] }> {
	const response = await ask("/", { accept: browserAccepts });
	const html = await response.text();
	return { response, html, assets: [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map((found) => found[1] ?? "") };
}

test("a client gets JSON at `/` as ever, whether it asks for JSON, for anything or for nothing", async () => {
	for (const headers of [{ accept: "application/json" }, { accept: "*/*" }, {}, { accept: "application/json, text/html;q=0.1" }]) {
		const response = await ask("/", headers);
		expect(response.headers.get("content-type")).toStartWith("application/json");
		expect(await response.json()).toEqual({ name: "cairn", version: expect.any(String), documentation: "/swagger" });
	}
});

test("a browser gets the page, which may load from this server alone and has no inline script or style", async () => {
	const { response, html, assets } = await page();
	expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
	expect(response.headers.get("content-security-policy")).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
	expect(response.headers.get("vary")).toContain("accept");
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
	expect(response.headers.get("referrer-policy")).toBe("no-referrer");
	expect(html).not.toMatch(/<script(?! type="module" src="\/console\/)|<style|\son\w+=/);
	expect(html.replaceAll("http%3A%2F%2Fwww.w3.org", "")).not.toMatch(/https?:\/\//);
	expect(assets.map((path) => path.replace(/^.*\./, "")).toSorted()).toEqual(["css", "js"]);
});

test("its files are named by their content and kept for good; no other name is answered", async () => {
	const { assets } = await page();
	for (const path of assets) {
		const response = await ask(path);
		expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
		expect(response.headers.get("content-type")).toMatch(/^text\/(css|javascript); charset=utf-8$/);
	}
	for (const name of ["main.tsx", "..%2fmain.tsx", "constructor", "main.js", "__proto__"]) expect((await ask(`/console/${name}`)).status).toBe(404);
});

test("the first page is less than 400 kB compressed, and says what it says uncompressed", async () => {
	const { assets } = await page();
	const script = await (await ask(assets.find((path) => path.endsWith(".js")) ?? "")).text();
	// A part that the script begins with would belong to the first page; one that it asks for later does not.
	expect(script).not.toMatch(/(?:from|import)"\.\/part-/);
	const later = [...script.matchAll(/import\("\.\/(part-[^"]+)"\)/g)].map((found) => `/console/${found[1]}`);
	expect(later.length).toBeGreaterThan(0);
	for (const path of later) expect((await ask(path)).status).toBe(200);
	let bytes = 0;
	for (const path of ["/", ...assets]) {
		const headers = { accept: browserAccepts };
		const packed = await ask(path, { ...headers, "accept-encoding": "gzip, br" });
		expect(packed.headers.get("content-encoding")).toBe("gzip");
		const body = await packed.bytes();
		bytes += body.byteLength;
		expect(new TextDecoder().decode(Bun.gunzipSync(body))).toBe(await (await ask(path, headers)).text());
	}
	expect(bytes).toBeWithin(50_000, bytesMax);
});

test("nothing of the server gets into the bundle: only types are taken from it", async () => {
	const { assets } = await page();
	const script = await (await ask(assets.find((path) => path.endsWith(".js")) ?? "")).text();
	for (const word of ["CAIRN_DATA_DIR", "drizzle", "typebox", "CURSOR_INVALID"]) expect(script).not.toContain(word);
});

test("it is loaded once, when somebody asks, and again after a failure", async () => {
	let loads = 0;
	const load = async () => {
		loads += 1;
		if (loads === 1) throw new Error("the disk is away");
		return new Map([["main-x.js", { mediaType: "text/javascript", content: new Uint8Array(1), gzipped: new Uint8Array(1) }]]);
	};
	const { page: answer } = consoleRoutes(load);
	const request = new Request("http://localhost/", { headers: { accept: browserAccepts } });
	expect(loads).toBe(0);
	const failed = await answer(request).catch((thrown: unknown) => String(thrown));
	expect(failed).toContain("the disk is away");
	await Promise.all([answer(request), answer(request)]);
	expect(loads).toBe(2);
});

test("a browser is known by asking for HTML by name", () => {
	const accepting = (accept: string) => isBrowser(new Request("http://localhost/", { headers: { accept } }));
	expect(accepting(browserAccepts)).toBe(true);
	expect(accepting("text/html")).toBe(true);
	expect(accepting("*/*")).toBe(false);
	expect(accepting("application/json")).toBe(false);
});
