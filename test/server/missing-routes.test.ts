/** What a request to the wrong place is told: the route that was meant, or the methods this path has. */

import { expect, test } from "bun:test";
import { missingRoute, type Route } from "../../server/wire/responses/missing-route.ts";
import { startTestServer } from "../doubles/test-server.ts";

const routes: readonly Route[] = [
	{ method: "GET", path: "/" },
	{ method: "POST", path: "/v3/documents" },
	{ method: "GET", path: "/v3/documents/processing" },
	{ method: "GET", path: "/v3/documents/:id" },
	{ method: "PATCH", path: "/v3/documents/:id" },
	{ method: "GET", path: "/v3/search" },
	{ method: "POST", path: "/v3/search" },
	{ method: "POST", path: "/v4/search" },
];

const cases: readonly (readonly [asked: string, told: string])[] = [
	["GET /v3/document", "; did you mean POST /v3/documents?"],
	["POST /v2/documents", "; did you mean POST /v3/documents?"],
	["GET /v3/serch", "; did you mean GET /v3/search?"],
	["POST /v3/documents/processing", "; this path accepts GET"],
	["PUT /v3/search", "; this path accepts GET, POST"],
	["DELETE /v3/documents/abc", "; this path accepts GET, PATCH"],
	["GET /v3/document/abc", "; did you mean GET /v3/documents/{id}?"],
	["POST /search", "; did you mean POST /v3/search or POST /v4/search?"],
	["GET /x", ""],
	["GET /wp-login.php", ""],
];
for (const [asked, told] of cases) {
	test(`${asked} → "${told}"`, () => {
		const [method = "", path = ""] = asked.split(" ");
		expect(missingRoute(method, path, routes).error.message).toBe(`no route handles ${method} ${path}${told}`);
	});
}

test("the methods of a path stand in a header; a path nobody answers allows none", () => {
	expect(missingRoute("PUT", "/v3/search", routes).allowed).toEqual(["GET", "POST"]);
	expect(missingRoute("PUT", "/nowhere/at/all", routes).allowed).toEqual([]);
});

test("a path that is there with another method is 405 with Allow, one that is not there 404 without", async () => {
	const server = await startTestServer();
	const client = await server.client();
	for (const [method, path, allow] of [
		["PUT", "/v3/documents/some-id", "GET, HEAD, PATCH, DELETE"],
		["GET", "/v4/profile", "POST"],
		["OPTIONS", "/v4/search", "GET, HEAD, POST"],
		["DELETE", "/v3/memories", "POST, GET, HEAD"],
	] as const) {
		const answer = await client.send(method, path);
		expect([answer.status, answer.headers.get("allow")?.split(", ").toSorted()], `${method} ${path}`).toEqual([405, allow.split(", ").toSorted()]);
		expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED", error: expect.stringContaining("this path accepts") });
	}
	const nowhere = await client.send("PUT", "/v3/nowhere/at/all");
	expect([nowhere.status, nowhere.headers.get("allow")]).toEqual([404, null]);
	await server.dispose();
});

test("a long path is cut and compared with nothing", () => {
	const { error } = missingRoute("GET", `/v3/${"a".repeat(100_000)}`, routes);
	expect(error.message.length).toBeLessThan(300);
});
