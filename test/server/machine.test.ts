/** What the server runs on, over HTTP: for administrators, and an embedder is asked for by a name that there is. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { serverSchema } from "../../server/wire/v3/organisation/machine.ts";
import { startServerProcess } from "../doubles/server-process.ts";
import { startTestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

interface Answer {
	readonly code?: string;
	readonly embedder: { readonly active: string; readonly requested: string; readonly known: readonly string[] };
	readonly storage: { readonly databaseBytes: number | null };
}

test("an administrator reads it, a key with fewer rights does not, and a name that is none is refused", async () => {
	const server = await startTestServer();
	try {
		const admin = await server.client();
		const state = (await (await admin.send("GET", "/v3/server")).json()) as Answer;
		expect([...Value.Errors(serverSchema, state)]).toEqual([]);
		expect(state.embedder.known).toContain(state.embedder.active);
		expect(state.storage.databaseBytes).toBeGreaterThan(0);
		const { key } = (await (await admin.send("POST", "/v3/auth/agent-key", { name: "writer", permission: "write" })).json()) as { readonly key: string };
		const writer = server.clientWith(key);
		expect((await writer.send("GET", "/v3/server")).status).toBe(403);
		expect((await writer.send("PUT", "/v3/server/embedder", { use: "hashing" })).status).toBe(403);
		const refused = await admin.send("PUT", "/v3/server/embedder", { use: "no-such" });
		expect([refused.status, ((await refused.json()) as Answer).code]).toEqual([400, "PLUGIN_MISSING"]);
		expect((await admin.send("PUT", "/v3/server/embedder", {})).status).toBe(400);
	} finally {
		await server.dispose();
	}
});

test("a running server goes over to the embedder that was asked for, and back", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-machine-"));
	const server = await startServerProcess(folder);
	try {
		const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
		const state = async () => ((await (await fetch(`${server.address}/v3/server`, { headers })).json()) as Answer).embedder;
		const before = (await state()).active;
		expect(before).not.toBe("hashing");
		for (const use of ["hashing", before]) {
			const asked = await fetch(`${server.address}/v3/server/embedder`, { method: "PUT", headers, body: JSON.stringify({ use }) });
			expect([asked.status, ((await asked.json()) as Answer).embedder.requested]).toEqual([202, use]);
			await until(async () => (await state()).active === use);
		}
	} finally {
		await server.kill("SIGTERM");
		await rm(folder, { recursive: true, force: true });
	}
});
