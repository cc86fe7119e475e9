/** What a caller of the guarded fetch may add to a request, who hears it, and which answers it may ask for. */

import { expect, test } from "bun:test";
import { bounds, guard, rejection, textOf } from "./test-guard.ts";
import { listen, reply } from "./trap.ts";

const secret = { authorization: "AWS4-HMAC-SHA256 hunter2", "user-agent": "CairnBot/1.0" };

test("added headers are sent, in place of the usual ones", async () => {
	const server = await listen((socket) => reply(socket, "200 OK", { etag: '"one"', "x-twice": "a" }, "words"));
	const fetched = await guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds({ headers: secret }));
	expect(server.heard[0]).toMatch(/authorization: AWS4-HMAC-SHA256 hunter2/i);
	expect(server.heard[0]).toMatch(/user-agent: CairnBot\/1\.0/i);
	expect(server.heard[0]?.match(/user-agent/gi)).toHaveLength(1);
	expect(fetched.status).toBe(200);
	expect(fetched.headers.get("etag")).toBe('"one"');
});

test("where a request goes and how long it is cannot be said by the caller", async () => {
	const server = await listen((socket) => reply(socket, "200 OK"));
	const headers = { Host: "inside.test", "content-length": "5", "Transfer-Encoding": "chunked", "accept-encoding": "zip" };
	await guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds({ headers }));
	expect(server.heard[0]).toMatch(new RegExp(`host: x\\.test:${server.port}\r\n`, "i"));
	expect(server.heard[0]).not.toMatch(/inside\.test|content-length|transfer-encoding|zip,? *\r/i);
});

test("another origin that a redirect leads to does not hear them", async () => {
	const other = await listen((socket) => reply(socket, "200 OK", {}, "there"));
	const same = await listen((socket, request) =>
		request.startsWith("GET /first")
			? reply(socket, "302 Found", { location: "/second" })
			: reply(socket, "302 Found", { location: `http://y.test:${other.port}/` }),
	);
	const fetch = guard({ allow: [`x.test:${same.port}`, `y.test:${other.port}`] });
	expect(textOf(await fetch(`http://x.test:${same.port}/first`, bounds({ headers: secret })))).toBe("there");
	expect(same.heard).toHaveLength(2);
	for (const heard of same.heard) expect(heard).toContain("hunter2");
	expect(other.heard[0]).not.toMatch(/hunter2|CairnBot/);
});

test("a PUT and a DELETE are sent as such, and no redirect is followed with them", async () => {
	const server = await listen((socket, request) =>
		request.includes(" /away ") ? reply(socket, "307 Temporary Redirect", { location: "/elsewhere" }) : reply(socket, "200 OK"),
	);
	const fetch = guard({ allow: [`x.test:${server.port}`] });
	await fetch(`http://x.test:${server.port}/here`, bounds({ method: "PUT", body: new TextEncoder().encode("words") }));
	await fetch(`http://x.test:${server.port}/here`, bounds({ method: "DELETE" }));
	expect(server.heard[0]).toMatch(/^PUT \/here HTTP\/1\.1\r\n(?:.*\r\n)*content-length: 5\r\n/i);
	expect(server.heard[1]).toMatch(/^DELETE \/here HTTP\/1\.1\r\n/);
	for (const method of ["PUT", "DELETE"] as const)
		expect(await rejection(fetch(`http://x.test:${server.port}/away`, bounds({ method })))).toMatchObject({ code: "ADDRESS_REFUSED" });
	expect(server.heard).toHaveLength(4);
});

test("a header with a line break is not sent", async () => {
	const server = await listen((socket) => reply(socket, "200 OK"));
	const run = guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds({ headers: { "if-none-match": '"a"\r\nx-inside: 1' } }));
	expect(await rejection(run)).toMatchObject({ code: "ADDRESS_FAILED" });
	expect(server.heard.join("")).not.toContain("x-inside");
});

test("a status that was asked for is an answer, with what the server said", async () => {
	for (const [line, headers, body] of [
		["304 Not Modified", { "content-length": "99999999" }, ""],
		["404 Not Found", {}, "<Code>NoSuchBucket</Code>"],
		["301 Moved Permanently", { location: "http://127.0.0.1:1/" }, ""],
	] as const) {
		const server = await listen((socket) => reply(socket, line, headers, body));
		const fetched = await guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds({ answers: [301, 304, 404] }));
		expect(fetched.status).toBe(Number(line.slice(0, 3)));
		expect(textOf(fetched)).toBe(body);
	}
});

test("one that was not asked for is none", async () => {
	const server = await listen((socket) => reply(socket, "403 Forbidden"));
	const run = guard({ allow: [`x.test:${server.port}`] })(`http://x.test:${server.port}/`, bounds({ answers: [304, 404] }));
	expect(await rejection(run)).toMatchObject({ code: "ADDRESS_REFUSED" });
});
