/** Links to original files: signed, bounded in time, for one file of one organisation, and never run as a page. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createSignedLinks } from "../../server/auth/signed-links.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
let client: TestClient;
let path: string;

beforeAll(async () => {
	server = await startTestServer();
	client = await server.client();
	const form = new FormData();
	form.append("file", new File(["<script>alert(1)</script> hello"], "päge.html", { type: "text/html" }));
	const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
	const { url } = (await (await client.send("GET", `/v3/documents/${id}/file-url`)).json()) as { readonly url: string };
	path = url.slice(new URL(url).origin.length);
});
afterAll(() => server.dispose());

const open = (link: string, headers: Record<string, string> = {}) => client.send("GET", link, undefined, { headers: { authorization: "", ...headers } });

test("opens without a key, as an attachment that cannot run", async () => {
	const response = await open(path);
	expect(response.status).toBe(200);
	expect(await response.text()).toBe("<script>alert(1)</script> hello");
	expect(response.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''p%C3%A4ge.html");
	expect(response.headers.get("content-security-policy")).toContain("sandbox");
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("answers ranges", async () => {
	const cases: readonly [string, number, string, string | null][] = [
		["bytes=0-7", 206, "<script>", "bytes 0-7/31"],
		["bytes=-5", 206, "hello", "bytes 26-30/31"],
		["bytes=26-", 206, "hello", "bytes 26-30/31"],
		["bytes=26-9999", 206, "hello", "bytes 26-30/31"],
		["bytes=31-", 416, "", "bytes */31"],
		["lines=1-2", 200, "<script>alert(1)</script> hello", null],
	];
	for (const [range, status, text, contentRange] of cases) {
		const response = await open(path, { range });
		expect([response.status, await response.text(), response.headers.get("content-range")], range).toEqual([status, text, contentRange]);
	}
});

test("a link that was changed in any way opens nothing", async () => {
	const [file = "", query = ""] = path.split("?");
	const other = `${file.slice(0, -1)}${file.endsWith("1") ? "2" : "1"}`;
	for (const link of [
		file,
		`${other}?${query}`,
		`${file}?${query.replace(/expires=\d+/, "expires=99999999999")}`,
		path.slice(0, -1),
		`${file}?expires=x&signature=`,
		"/files/..%2f..%2fetc?expires=1&signature=x",
	]) {
		expect((await open(link)).status, link).toBe(403);
	}
});

test("a link holds for its time only", () => {
	const links = createSignedLinks(new Uint8Array(32));
	const now = new Date("2026-01-01T00:00:00Z");
	const query = new URLSearchParams(links.sign("a", new Date(now.getTime() + 60_000)));
	expect(links.isValid("a", query, now)).toBe(true);
	expect(links.isValid("a", query, new Date(now.getTime() + 60_001))).toBe(false);
	expect(links.isValid("b", query, now)).toBe(false);
});

test("a document without a file, and a foreign one, have no link", async () => {
	const { id } = (await (await client.send("POST", "/v3/documents", { content: "words" })).json()) as { readonly id: string };
	expect((await client.send("GET", `/v3/documents/${id}/file-url`)).status).toBe(404);
	const stranger = await server.client();
	const mine = path.split(".")[1]?.split("?")[0] ?? "";
	expect((await stranger.send("GET", `/v3/documents/${mine}/file-url`)).status).toBe(404);
});
