/** Organisations over HTTP: who may decide about the server, quotas and usage, removal, and turns in the queue. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrganisationId } from "cairn-memory";
import { keyRecord, makeKey } from "../../server/auth/keys.ts";
import { bytesIn } from "../doubles/folder-bytes.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

type Body = Record<string, unknown>;
const answer = async (response: Promise<Response>): Promise<Body & { readonly status: number }> => {
	const got = await response;
	return { ...((await got.json()) as Body), status: got.status };
};
const statusOf = async (response: Promise<Response>) => (await response).status;

async function withServer(run: (server: TestServer, operator: TestClient) => Promise<void>, ...started: Parameters<typeof startTestServer>): Promise<void> {
	const server = await startTestServer(...started);
	try {
		await run(server, await server.client());
	} finally {
		await server.dispose();
	}
}

async function create(server: TestServer, operator: TestClient, body: object): Promise<{ readonly id: string; readonly client: TestClient }> {
	const made = await answer(operator.send("POST", "/v3/organisations", body));
	expect(made).toMatchObject({ status: 200, state: "active" });
	return { id: String(made["id"]), client: server.clientWith(String(made["key"])) };
}

const ofTheServer = [
	["GET", "/v3/server"],
	["PUT", "/v3/server/embedder", { use: "nobody" }],
	["GET", "/v3/backups"],
	["POST", "/v3/backups"],
	["GET", "/v3/backups/none"],
	["GET", "/metrics"],
	["GET", "/v3/organisations"],
	["POST", "/v3/organisations", { name: "Another" }],
	["PUT", "/v3/organisations/none/quotas", {}],
	["DELETE", "/v3/organisations/none"],
] as const;

test("an admin decides about a server of one organisation, and whoever adds a second one becomes its operator", () =>
	withServer(async (server, operator) => {
		const [first] = await server.parts.storage.accounts.organisations();
		const beside = makeKey(first?.id as OrganisationId);
		await server.parts.storage.accounts.addKey(keyRecord(beside, "another admin", first?.id as OrganisationId, server.parts.world));
		const besideClient = server.clientWith(beside);
		expect(await statusOf(besideClient.send("GET", "/v3/server"))).toBe(200);
		const reader = await answer(operator.send("POST", "/v3/auth/agent-key", { name: "a reader", permission: "read" }));
		const mayOperate = async (client: TestClient) => (await answer(client.send("GET", "/v3/session")))["operator"];
		expect([await mayOperate(besideClient), await mayOperate(server.clientWith(String(reader["key"])))]).toEqual([true, false]);
		const { client } = await create(server, operator, { name: "Harbour Ltd." });
		for (const other of [client, besideClient]) {
			for (const [method, path, body] of ofTheServer)
				expect([method, path, await answer(other.send(method, path, body))]).toEqual([
					method,
					path,
					expect.objectContaining({ status: 403, code: "ROLE_MISSING", error: expect.stringContaining("operator") }),
				]);
		}
		for (const [method, path, body] of ofTheServer.filter(([, , sent]) => sent === undefined))
			expect([path, await statusOf(operator.send(method, path, body))]).not.toEqual([path, 403]);
		expect(await answer(operator.send("GET", "/v3/session"))).toMatchObject({ role: "owner", scope: { permission: "admin" }, operator: true });
		expect(await answer(client.send("GET", "/v3/session"))).toMatchObject({
			role: "admin",
			org: { name: "Harbour Ltd.", slug: "harbour-ltd" },
			operator: false,
		});
	}));

test("a name with control characters, or a blank one, is refused", () =>
	withServer(async (_server, operator) => {
		for (const name of ["Harbour\u001b[2J", "a\nb", "\u009b", " "]) expect((await operator.send("POST", "/v3/organisations", { name })).status).toBe(400);
	}));

test("nobody makes, turns off or revokes a key above their own", () =>
	withServer(async (server, operator) => {
		const { client } = await create(server, operator, { name: "Harbour" });
		expect(await answer(client.send("POST", "/v3/auth/agent-key", { name: "more", permission: "operator" }))).toMatchObject({
			status: 403,
			code: "ROLE_MISSING",
		});
		const admin = await answer(operator.send("POST", "/v3/auth/agent-key", { name: "admin", permission: "admin" }));
		const second = await answer(operator.send("POST", "/v3/auth/agent-key", { name: "second operator", permission: "operator" }));
		expect(second).toMatchObject({ status: 200, role: "operator" });
		const asAdmin = server.clientWith(String(admin["key"]));
		expect(await statusOf(asAdmin.send("PUT", `/v3/auth/keys/${String(second["id"])}/toggle`, { enabled: false }))).toBe(403);
		expect(await statusOf(asAdmin.send("DELETE", `/v3/auth/keys/${String(second["id"])}`))).toBe(403);
		expect(await statusOf(server.clientWith(String(second["key"])).send("GET", "/v3/organisations"))).toBe(200);
		expect(await statusOf(operator.send("DELETE", `/v3/auth/keys/${String(second["id"])}`))).toBe(200);
	}));

test("a hundred parallel additions do not exceed a quota, and the admin sees what is used", () =>
	withServer(async (server, operator) => {
		const { id, client } = await create(server, operator, { name: "Small", quotas: { documents: 10, bytes: 1_000 } });
		const added = await Promise.all(Array.from({ length: 100 }, (_, i) => answer(client.send("POST", "/v3/documents", { content: `note ${i}` }))));
		expect(added.filter(({ status }) => status === 200).length).toBe(10);
		for (const refused of added.filter(({ status }) => status !== 200)) expect(refused).toMatchObject({ status: 402, code: "QUOTA_DOCUMENTS" });
		expect(await answer(client.send("GET", "/v3/usage"))).toMatchObject({
			stored: { documents: 10 },
			quotas: { documents: 10, bytes: 1_000, tokensPerDay: null, requestsPerMinute: null },
		});
		const known = added.find(({ status }) => status === 200);
		expect(await answer(client.send("PATCH", `/v3/documents/${String(known?.["id"])}`, { content: "x".repeat(1_000) }))).toMatchObject({
			status: 402,
			code: "QUOTA_BYTES",
		});
		expect(await answer(operator.send("PUT", `/v3/organisations/${id}/quotas`, { documents: 11 }))).toMatchObject({
			status: 200,
			quotas: { documents: 11, bytes: null },
		});
		expect(await statusOf(client.send("POST", "/v3/documents", { content: "one more" }))).toBe(200);
		expect(await statusOf(client.send("POST", "/v3/documents", { content: "too many" }))).toBe(402);
		expect(await statusOf(client.send("DELETE", `/v3/documents/${String(known?.["id"])}`))).toBe(204);
		expect(await statusOf(client.send("POST", "/v3/documents", { content: "in its place" }))).toBe(200);
	}));

test("requests beyond the quota of a minute are answered with the time to wait, whichever key sends them", () =>
	withServer(async (server, operator) => {
		const { client } = await create(server, operator, { name: "Few", quotas: { requestsPerMinute: 5 } });
		const second = await answer(client.send("POST", "/v3/auth/agent-key", { name: "second", permission: "read" }));
		const other = server.clientWith(String(second["key"]));
		const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? client : other).send("GET", "/v3/session")));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThanOrEqual(5);
		expect(Number(refused[0]?.headers.get("retry-after"))).toBeWithin(1, 61);
		expect(await refused[0]?.json()).toMatchObject({ code: "QUOTA_REQUESTS" });
		expect(await statusOf(operator.send("GET", "/v3/session"))).toBe(200);
	}));

const canary = "Zanzibarquux";

async function traces(folder: string): Promise<readonly string[]> {
	const files = [...(await bytesIn(folder))];
	return files.filter(([, bytes]) => bytes.toString("latin1").toLowerCase().includes(canary.toLowerCase())).map(([path]) => path);
}

test("a removed organisation stops at once, and nothing of it is left in any file, though the server was stopped in between", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-orgs-"));
	let ahead = 0;
	const world = { now: () => new Date(Date.now() + ahead) };
	let keys: readonly string[] = [];
	let id = "";
	try {
		await withServer(
			async (server, operator) => {
				const made = await create(server, operator, { name: `${canary} Ltd` });
				id = made.id;
				const { client } = made;
				const form = new FormData();
				form.set("file", new File([`Ottilie keeps the ${canary} in a box.`], `${canary}.txt`));
				const uploaded = await answer(client.send("POST", "/v3/documents/file", undefined, { body: form }));
				const noted = await answer(
					client.send("POST", "/v3/documents", {
						content: `Paul sold the ${canary} in Bonn.`,
						containerTag: canary,
						customId: canary,
						metadata: { of: canary },
					}),
				);
				for (const document of [uploaded, noted]) expect(await client.finished(String(document["id"]))).toMatchObject({ status: "done" });
				await client.send("PATCH", "/v3/settings", { filterPrompt: canary });
				await client.send("POST", "/v3/webhooks", { url: `https://${canary}.example/`, types: ["memory.deleted"] });
				const kept = await answer(operator.send("POST", "/v3/documents", { content: "Marta paints boats in Kiel." }));
				await operator.finished(String(kept["id"]));
				expect(await traces(folder)).not.toEqual([]);
				const own = (await answer(operator.send("GET", "/v3/session")))["org"] as Body;
				expect(await answer(operator.send("DELETE", `/v3/organisations/${String(own["id"])}`))).toMatchObject({ status: 409, code: "ORGANISATION_OWN" });
				expect(await answer(operator.send("DELETE", `/v3/organisations/${id}`))).toMatchObject({ status: 202, state: "removing" });
				expect(await statusOf(client.send("GET", "/v3/session"))).toBe(401);
				keys = [operator.key, client.key];
			},
			[],
			{},
			{ folder, world },
		);
		await withServer(
			async (server) => {
				const [operator, client] = keys.map(server.clientWith) as [TestClient, TestClient];
				const listed = async () => ((await answer(operator.send("GET", "/v3/organisations")))["organisations"] as Body[]).find((each) => each["id"] === id);
				expect(await listed()).toMatchObject({ state: "removing" });
				ahead = 60_000;
				await server.maintain();
				expect(await listed()).toBeUndefined();
				expect(await statusOf(client.send("GET", "/v3/session"))).toBe(401);
				const found = await answer(operator.send("POST", "/v3/search", { q: "Who paints boats in Kiel?" }));
				expect((found["results"] as unknown[]).length).toBe(1);
				// Maintenance goes on until the log and the gaps between rows are empty.
				await server.maintain();
			},
			[],
			{},
			{ folder, world },
		);
		expect(await traces(folder)).toEqual([]);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test(
	"a note of a small organisation does not wait behind the thousands of another",
	() =>
		withServer(async (server, operator) => {
			const { id, client } = await create(server, operator, { name: "Small" });
			const [flooding] = await server.parts.storage.accounts.organisations();
			const thousands = 5_000;
			const batch = 500;
			for (let sent = 0; sent < thousands; sent += batch)
				await operator.send("POST", "/v3/documents/batch", {
					documents: Array.from({ length: batch }, (_, i) => ({ content: `Boat ${sent + i} lies in Kiel.`, taskType: "superrag" })),
				});
			const note = await answer(client.send("POST", "/v3/documents", { content: "Marta paints.", taskType: "superrag" }));
			const before = (await server.parts.storage.jobs.depth()).waiting;
			expect(await client.finished(String(note["id"]))).toMatchObject({ status: "done" });
			const done = before - (await server.parts.storage.jobs.depth()).waiting;
			expect([id === String(flooding?.id), before > 1_000, done < before / 4]).toEqual([false, true, true]);
		}),
	240_000,
);
