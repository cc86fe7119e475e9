/** Web pages of other origins: nobody by default, exactly those that are named, or all; on every kind of answer. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readSettings } from "../../server/settings/read-settings.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

const page = "https://app.example.com";
const other = "https://app.example.com.evil.test";

let named: TestServer;
let all: TestServer;
let none: TestServer;
beforeAll(async () => {
	[named, all, none] = await Promise.all([
		startTestServer([`--cors-origins=${page},chrome-extension://abcdef`, "--rate-limit=100/60s"]),
		startTestServer(["--cors-origins=*"]),
		startTestServer(),
	]);
});
afterAll(() => Promise.all([named, all, none].map((server) => server.dispose())));

const from = (origin: string, more: Readonly<Record<string, string>> = {}) => ({ headers: { origin, ...more } });
const asks = { "access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type,x-stainless-lang" };
const preflight = (client: TestClient, origin: string) => client.send("OPTIONS", "/v3/documents", undefined, from(origin, { ...asks, authorization: "" }));
const corsOf = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));

describe("origins that are named", () => {
	test("may ask, with any header, and need no key to find out", async () => {
		const answer = await preflight(await named.client(), page);
		expect(answer.status).toBe(204);
		expect(corsOf(answer)).toEqual({
			"access-control-allow-origin": page,
			"access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
			"access-control-allow-headers": asks["access-control-request-headers"],
			"access-control-max-age": "7200",
			vary: "Origin, Access-Control-Request-Headers",
		});
		expect(corsOf(await preflight(await named.client(), "chrome-extension://abcdef"))["access-control-allow-origin"]).toBe("chrome-extension://abcdef");
	});

	test("hear answers, errors, streams and answers that come twice, and may read what a client needs", async () => {
		const client = await named.client();
		const document = { content: "Otto lives in Ulm." };
		const twice = from(page, { "idempotency-key": "twice" });
		const listening = new AbortController();
		const answers = {
			added: await client.send("POST", "/v3/documents", document, twice),
			"added again": await client.send("POST", "/v3/documents", document, twice),
			"not there": await client.send("GET", "/v3/documents/nowhere", undefined, from(page)),
			"no route": await client.send("GET", "/v3/nowhere", undefined, from(page)),
			"wrong method": await client.send("PUT", "/v3/documents/nowhere", undefined, from(page)),
			"no key": await client.send("GET", "/v3/session", undefined, from(page, { authorization: "" })),
			stream: await client.send("GET", "/v3/events", undefined, { ...from(page), signal: listening.signal }),
		};
		expect(Object.values(answers).map(({ status }) => status)).toEqual([200, 200, 404, 404, 405, 401, 200]);
		expect(answers["added again"].headers.get("idempotency-replayed")).toBe("true");
		for (const [what, answer] of Object.entries(answers)) {
			expect(answer.headers.get("access-control-allow-origin"), what).toBe(page);
			expect(answer.headers.get("vary"), what).toBe("Origin");
			const readable = answer.headers.get("access-control-expose-headers")?.split(", ") ?? [];
			expect(readable, what).toEqual(expect.arrayContaining(["x-request-id", "retry-after", "ratelimit", "x-should-retry", "allow"]));
			expect(answer.headers.has("access-control-allow-credentials"), what).toBe(false);
		}
		listening.abort();
		await answers.stream.body?.cancel();
	});

	test("are compared to the letter: no other origin hears anything, and a cache is told", async () => {
		const client = await named.client();
		for (const origin of [other, "http://app.example.com", `${page}:8443`, "https://APP.example.com", "null", "*"]) {
			expect(corsOf(await preflight(client, origin)), origin).toEqual({ vary: "Origin" });
			expect(corsOf(await client.send("GET", "/v3/session", undefined, from(origin))), origin).toEqual({ vary: "Origin" });
		}
		expect(corsOf(await client.send("GET", "/v3/session"))).toEqual({ vary: "Origin" });
	});
});

test("with * every page may ask, and never with cookies", async () => {
	const client = await all.client();
	for (const answer of [await preflight(client, other), await client.send("GET", "/v3/session", undefined, from(other))]) {
		expect(answer.headers.get("access-control-allow-origin")).toBe("*");
		expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
	}
});

test("by default nobody is told anything, and OPTIONS is a method like any other", async () => {
	const client = await none.client();
	const asked = await preflight(client, page);
	expect([asked.status, corsOf(asked)]).toEqual([405, {}]);
	expect(corsOf(await client.send("GET", "/v3/session", undefined, from(page)))).toEqual({});
});

describe("the setting", () => {
	const read = (text: string) => readSettings({ env: { CAIRN_CORS_ORIGINS: text }, flags: [] }).corsOrigins;

	test("takes origins as browsers send them, or * alone", () => {
		expect(read("*")).toEqual(["*"]);
		expect(read(" https://a.example , http://localhost:5173,http://[::1]:3000")).toEqual(["https://a.example", "http://localhost:5173", "http://[::1]:3000"]);
		expect(readSettings({ env: {}, flags: [] }).corsOrigins).toEqual([]);
	});

	for (const wrong of [
		"https://a.example/",
		"https://a.example/app",
		"a.example",
		"https://a.example:443",
		"https://A.example",
		"https://*.a.example",
		"null",
		"*,https://a.example",
		"https://a.example,,",
		"javascript:alert(1)",
	]) {
		test(`refuses ${wrong}`, () => expect(() => read(wrong)).toThrow(/CAIRN_CORS_ORIGINS.*should be origins such as https:\/\/app\.example\.com/));
	}
});
