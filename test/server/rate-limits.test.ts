/** Rate limits over HTTP: a key's own, the setting for all others, and what the client is told. The clock is the test's. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let now = 0;
let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
	server = await startTestServer(["--rate-limit=3/60s"], {}, { world: { elapsedMs: () => now } });
	admin = await server.client();
});
afterAll(() => server.dispose());

const ask = (client: TestClient) => client.send("GET", "/v3/session");

test("the setting holds for keys without a limit of their own, each for itself", async () => {
	const answers = [await ask(admin), await ask(admin), await ask(admin), await ask(admin)];
	expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
	expect(answers.map((answer) => answer.headers.get("ratelimit-remaining"))).toEqual(["2", "1", "0", "0"]);
	const refused = answers[3];
	expect(refused?.headers.get("retry-after")).toBe("20");
	expect(refused?.headers.get("retry-after-ms")).toBe("20000");
	expect(refused?.headers.get("ratelimit-policy")).toBe('"key";q=3;w=60');
	expect(await refused?.json()).toMatchObject({ code: "RATE_LIMITED", error: "at most 3 requests in 60 seconds are answered" });
	expect((await ask(await server.client())).status).toBe(200);
	now += 20_000;
	expect((await ask(admin)).status).toBe(200);
});

test("a key's own limit goes before the setting, and a repeated request counts once", async () => {
	now += 60_000;
	const body = { containerTag: "a", rateLimitMax: 2, rateLimitTimeWindow: 1_000 };
	const { key } = (await (await admin.send("POST", "/v3/auth/scoped-key", body)).json()) as { readonly key: string };
	const scoped = server.clientWith(key);
	const headers = { "idempotency-key": "once" };
	const first = await scoped.send("POST", "/v3/documents", { content: "Otto lives in Ulm." }, { headers });
	expect([first.status, first.headers.get("ratelimit-remaining")]).toEqual([200, "1"]);
	expect((await ask(scoped)).status).toBe(200);
	const over = await scoped.send("POST", "/v3/documents", { content: "Otto lives in Ulm." }, { headers: { "idempotency-key": "twice" } });
	expect([over.status, over.headers.get("retry-after"), over.headers.get("retry-after-ms")]).toEqual([429, "1", "500"]);
	now += 500;
	const later = await scoped.send("POST", "/v3/documents", { content: "Otto lives in Ulm." }, { headers: { "idempotency-key": "twice" } });
	expect([later.status, later.headers.get("idempotency-replayed")]).toEqual([200, null]);
});

test("what needs no key is not counted", async () => {
	for (let i = 0; i < 10; i++) expect((await admin.send("GET", "/health")).headers.get("ratelimit-limit")).toBeNull();
});
