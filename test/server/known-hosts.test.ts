/** A web page whose name leads to this machine gets nothing: every route refuses its requests, over a socket as browsers use one. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { startTestServer, type TestClient, type TestServer, withRouter } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
let port = 0;
beforeAll(async () => {
	server = await startTestServer(["--oauth-address=http://localhost", ...withRouter]);
	client = await server.client();
	server.app.listen({ port: 0, hostname: "127.0.0.1" });
	port = server.app.server?.port ?? 0;
});
afterAll(async () => {
	await server.app.server?.stop(true);
	await server.dispose();
});

/** Writes the request as it is, since `fetch` chooses some headers itself. @returns status and code */
function ask(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<readonly [status: number, code: string | null]> {
	const { promise, resolve, reject } = Promise.withResolvers<readonly [number, string | null]>();
	const lines = Object.entries({ connection: "close", "content-length": "0", authorization: `Bearer ${client.key}`, ...headers }).map(
		([name, value]) => `${name}: ${value}`,
	);
	let answered = "";
	const socket = connect(port, "127.0.0.1", () => socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`));
	socket.on("data", (piece) => {
		answered += piece.toString();
	});
	socket.on("error", reject);
	socket.on("close", () => resolve([Number(/^HTTP\/1\.1 (\d+)/.exec(answered)?.[1]), /"code":"(\w+)"/.exec(answered)?.[1] ?? null]));
	return promise;
}

test("no route answers a page of another host, also with a right key", async () => {
	const operations = server.app.operations;
	expect(operations.length).toBeGreaterThan(90);
	for (const { method, path } of operations) {
		const asked = `${method} ${path}`;
		const answer = await ask(method, path.replaceAll(/:\w+/g, "x"), { host: `evil.example:${port}`, origin: `http://evil.example:${port}` });
		expect([asked, ...answer]).toEqual([asked, 403, "HOST_FORBIDDEN"]);
	}
	expect(await ask("GET", "/nowhere", { host: "evil.example" })).toEqual([403, "HOST_FORBIDDEN"]);
	expect(await ask("OPTIONS", "/v3/search", { host: "evil.example", origin: "http://evil.example", "access-control-request-method": "POST" })).toEqual([
		403,
		"HOST_FORBIDDEN",
	]);
});

test("a page of another origin changes nothing, on no route", async () => {
	for (const { method, path } of server.app.operations.filter((operation) => operation.method !== "GET")) {
		const asked = `${method} ${path}`;
		const answer = await ask(method, path.replaceAll(/:\w+/g, "x"), { host: `127.0.0.1:${port}`, origin: "http://evil.example" });
		expect([asked, ...answer]).toEqual([asked, 403, "ORIGIN_FORBIDDEN"]);
	}
});

test("the machine's own names are answered, with and without an origin", async () => {
	for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "localhost", "[::1]:1"])
		expect([host, ...(await ask("GET", "/v3/session", { host }))]).toEqual([host, 200, null]);
	expect(await ask("POST", "/v3/documents/list", { host: `localhost:${port}`, origin: `http://localhost:${port}` })).toEqual([200, null]);
	expect(await ask("GET", "/health", { host: "not a host" })).toEqual([400, "INPUT_INVALID"]);
});
