/** Keys over HTTP: who may make them, what they open, that nobody is locked out, and that the key itself is nowhere kept. */

import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

interface MadeKey {
	readonly id: string;
	readonly key: string;
}

const lines: string[] = [];
let folder: string;
let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-keys-"));
	server = await startTestServer([], {}, { folder, world: { log: (...line) => void lines.push(JSON.stringify(line)) } });
});
afterEach(() => void setSystemTime());
afterAll(async () => {
	await server.dispose();
	await rm(folder, { recursive: true, force: true });
});

const json = async (answer: Promise<Response> | Response) => (await (await answer).json()) as Record<string, unknown>;
const make = async (path: string, body: object) => (await json(admin.send("POST", path, body))) as unknown as MadeKey & Record<string, unknown>;
const status = async (client: TestClient, method: string, path: string, body?: unknown) => (await client.send(method, path, body)).status;

describe("a scoped key", () => {
	beforeAll(async () => {
		admin = await server.client();
	});

	test("is answered as the contract says, is listed without itself, and ends when revoked", async () => {
		const made = await make("/v3/auth/scoped-key", { containerTag: "user.1", expiresInDays: 2 });
		expect(made).toMatchObject({
			name: "scoped_user.1",
			containerTag: "user.1",
			allowedEndpoints: ["/v3/documents", "/v3/memories", "/v4/memories", "/v3/search", "/v4/search", "/v4/profile"],
			rateLimit: { max: 500, timeWindow: 60_000 },
		});
		expect(made.key).toMatch(/^sm_[1-9A-Za-z]{22}_\S{40,}$/);
		expect(Date.parse(String(made["expiresAt"])) - Date.now()).toBeGreaterThan(47 * 3_600_000);
		const client = server.clientWith(made.key);
		expect(await status(client, "POST", "/v3/documents/list", {})).toBe(200);
		expect(JSON.stringify(await json(admin.send("GET", "/v3/auth/keys")))).not.toContain(made.key);
		expect(await json(admin.send("DELETE", `/v3/auth/scoped-key/${made.id}`))).toEqual({ success: true });
		expect(await status(client, "POST", "/v3/documents/list", {})).toBe(401);
		expect(await status(admin, "DELETE", `/v3/auth/scoped-key/${made.id}`)).toBe(404);
	});

	test("has a name that can be shown on a terminal, as every key has", async () => {
		for (const name of ["agent\u001b[2J", "a\nb", "\u009b", " "]) {
			expect([name, await status(admin, "POST", "/v3/auth/scoped-key", { containerTag: "a", name })]).toEqual([name, 400]);
			expect([name, await status(admin, "POST", "/v3/auth/agent-key", { permission: "read", name })]).toEqual([name, 400]);
		}
	});

	test("opens only its endpoints, and always tells what it may do", async () => {
		const made = await make("/v3/auth/scoped-key", {
			containerTags: ["a", { containerTag: "b", permission: "read" }],
			rateLimitMax: 7,
			rateLimitTimeWindow: 1_000,
		});
		const client = server.clientWith(made.key);
		for (const path of ["/v3/auth/keys", "/v3/audit", "/v3/documentsx"]) {
			const answer = await client.send("GET", path);
			expect([path, answer.status]).toEqual([path, path === "/v3/documentsx" ? 404 : 403]);
		}
		expect(await json(client.send("POST", "/v4/conversations", {}))).toMatchObject({ code: "ENDPOINT_FORBIDDEN" });
		expect(await json(client.send("GET", "/v3/session"))).toMatchObject({
			user: { id: made.id, name: "scoped_a" },
			role: "editor",
			accessType: "restricted",
			containerTags: [
				{ containerTag: "a", permission: "write" },
				{ containerTag: "b", permission: "read" },
			],
			scope: { type: "scoped", tag: "a", tags: ["a", "b"], rateLimit: { max: 7, timeWindow: 1_000 } },
		});
	});

	test("that has expired, is off, is revoked or never was gets one and the same answer", async () => {
		const expired = await make("/v3/auth/scoped-key", { containerTag: "a", expiresInDays: 1 });
		const off = await make("/v3/auth/scoped-key", { containerTag: "a" });
		const revoked = await make("/v3/auth/scoped-key", { containerTag: "a" });
		expect(await json(admin.send("PUT", `/v3/auth/keys/${off.id}/toggle`))).toMatchObject({ id: off.id, enabled: false });
		await admin.send("DELETE", `/v3/auth/keys/${revoked.id}`);
		expect(await status(server.clientWith(expired.key), "GET", "/v3/session")).toBe(200);
		setSystemTime(new Date(Date.now() + 25 * 3_600_000));
		const said = new Set<string>();
		for (const key of [expired.key, off.key, revoked.key, "sm_nobody_has_this_key_at_all"]) {
			const { requestId: _, ...body } = await json(server.clientWith(key).send("GET", "/v3/session"));
			said.add(JSON.stringify(body));
		}
		expect([...said]).toHaveLength(1);
		expect([...said][0]).toContain("KEY_INVALID");
		await admin.send("PUT", `/v3/auth/keys/${off.id}/toggle`, { enabled: true });
		expect(await status(server.clientWith(off.key), "GET", "/v3/session")).toBe(200);
	});
});

describe("managing keys", () => {
	beforeAll(async () => {
		admin = await server.client();
	});

	test("is for admins, within their own organisation", async () => {
		const victim = await make("/v3/auth/agent-key", { name: "victim", permission: "read" });
		const writer = server.clientWith((await make("/v3/auth/agent-key", { name: "writer", permission: "write" })).key);
		const scoped = server.clientWith((await make("/v3/auth/agent-key", { name: "team", permission: "write", containerTags: ["team"] })).key);
		const stranger = await server.client();
		const acts: readonly (readonly [string, string, object?])[] = [
			["GET", "/v3/auth/keys"],
			["GET", "/v3/audit"],
			["POST", "/v3/auth/scoped-key", { containerTag: "a" }],
			["POST", "/v3/auth/agent-key", { name: "mine", permission: "admin" }],
			["PUT", `/v3/auth/keys/${victim.id}/toggle`],
			["DELETE", `/v3/auth/keys/${victim.id}`],
			["DELETE", `/v3/auth/scoped-key/${victim.id}`],
		];
		for (const client of [writer, scoped]) {
			for (const [method, path, body] of acts) expect([path, await status(client, method, path, body)]).toEqual([path, 403]);
		}
		for (const [method, path] of acts.slice(4)) expect([path, await status(stranger, method, path)]).toEqual([path, 404]);
		expect(await status(server.clientWith(victim.key), "GET", "/v3/session")).toBe(200);
		expect(await status(admin, "DELETE", `/v3/auth/scoped-key/${victim.id}`)).toBe(404);
	});

	test("refuses what no key may be", async () => {
		const wrong: readonly (readonly [string, object])[] = [
			["/v3/auth/scoped-key", {}],
			["/v3/auth/scoped-key", { containerTag: "not a tag" }],
			["/v3/auth/scoped-key", { containerTags: [] }],
			["/v3/auth/scoped-key", { containerTag: "a", expiresInDays: 366 }],
			["/v3/auth/scoped-key", { containerTag: "a", rateLimitMax: 0 }],
			["/v3/auth/agent-key", { name: "x" }],
			["/v3/auth/agent-key", { name: "x", permission: "admin", containerTags: ["a"] }],
			["/v3/auth/agent-key", { name: "CAIRN_API_KEY", permission: "read" }],
		];
		for (const [path, body] of wrong) expect([path, body, await status(admin, "POST", path, body)]).toEqual([path, body, 400]);
	});

	test("the last admin key stays, even when two admins would remove each other at once", async () => {
		const lonely = await server.client();
		const [own] = (await json(lonely.send("GET", "/v3/auth/keys")))["keys"] as { readonly id: string }[];
		const refused = await json(lonely.send("DELETE", `/v3/auth/keys/${own?.id}`));
		expect(refused).toMatchObject({ code: "KEY_LAST_ADMIN" });
		expect(await status(lonely, "PUT", `/v3/auth/keys/${own?.id}/toggle`)).toBe(409);
		const second = (await json(lonely.send("POST", "/v3/auth/agent-key", { name: "second", permission: "admin" }))) as unknown as MadeKey;
		const other = server.clientWith(second.key);
		const statuses = await Promise.all([status(lonely, "DELETE", `/v3/auth/keys/${second.id}`), status(other, "DELETE", `/v3/auth/keys/${own?.id}`)]);
		expect(statuses.toSorted()).toEqual([200, 409]);
	});

	test("every act is in the audit log, page by page, with who did it and nothing secret", async () => {
		const mine = await server.client();
		const made = (await json(mine.send("POST", "/v3/auth/scoped-key", { containerTag: "a" }))) as unknown as MadeKey;
		await mine.send("PUT", `/v3/auth/keys/${made.id}/toggle`, { enabled: false });
		await mine.send("DELETE", `/v3/auth/keys/${made.id}`);
		const { user } = (await json(mine.send("GET", "/v3/session"))) as { readonly user: { readonly id: string } };
		const seen: unknown[] = [];
		for (let after: unknown = 0; after !== null; ) {
			const page = await json(mine.send("GET", `/v3/audit?limit=2&after=${String(after)}`));
			seen.push(...(page["events"] as unknown[]));
			after = page["next"];
		}
		expect(seen).toMatchObject([
			{ type: "key.created", subject: made.id, facts: { by: user.id, role: "write", containerTags: ["a"] } },
			{ type: "key.changed", subject: made.id, facts: { by: user.id, isEnabled: false } },
			{ type: "key.revoked", subject: made.id, facts: { by: user.id } },
		]);
		expect(JSON.stringify(seen)).not.toContain(made.key.slice(-20));
	});
});

test("a key is in no file of the data folder and in no line of the log", async () => {
	admin = await server.client();
	const headers = { "idempotency-key": "make-one" };
	const made = (await json(admin.send("POST", "/v3/auth/scoped-key", { containerTag: "a" }, { headers }))) as unknown as MadeKey;
	const client = server.clientWith(made.key);
	await client.finished(String((await json(client.send("POST", "/v3/documents", { content: "Otto lives in Ulm." })))["id"]));
	await client.send("GET", `/v3/documents/${made.key}`);
	expect(await json(admin.send("POST", "/v3/auth/scoped-key", { containerTag: "a" }, { headers }))).toMatchObject({ code: "IDEMPOTENCY_UNKNOWN" });
	const secret = made.key.slice("sm_".length + 22 + "_".length);
	let holdsDocument = false;
	for (const [path, bytes] of await bytesIn(folder)) {
		expect([path, bytes.includes(secret)]).toEqual([path, false]);
		holdsDocument ||= bytes.includes("Otto lives in Ulm.");
	}
	expect(holdsDocument).toBe(true);
	expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});
