/** A new user's path as docs/compatibility.md has it: a key, a base URL, the official client, and nothing else. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Supermemory from "supermemory";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-quickstart-"));
	server = await startServerProcess(folder, { CAIRN_LOG_LEVEL: "error" });
	process.env["SUPERMEMORY_BASE_URL"] = server.address;
	process.env["SUPERMEMORY_API_KEY"] = server.key ?? "";
});
afterAll(async () => {
	delete process.env["SUPERMEMORY_BASE_URL"];
	delete process.env["SUPERMEMORY_API_KEY"];
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
});

test("profile, answer, keep the conversation, and know it the next time", async () => {
	const client = new Supermemory();
	const containerTag = "leonie";

	/** What the user's program hands to its model. */
	async function knownFor(q: string): Promise<readonly (string | undefined)[]> {
		const { profile, searchResults } = await client.profile({ containerTag, q });
		return [...profile.static, ...profile.dynamic, ...(searchResults?.results ?? []).map((result) => (result as { memory?: string }).memory)];
	}

	expect(await knownFor("Where shall we go for dinner?")).toEqual([]);
	const { id } = await client.add({
		content: "user: My name is Leonie. I am allergic to nuts.\nassistant: I will keep that in mind.",
		containerTag,
	});
	await ready(client, id);
	expect((await knownFor("Is she allergic to nuts?")).join("\n")).toMatch(/allergic to nuts/i);

	const found = await client.search.memories({ q: "allergic to nuts", containerTag });
	expect(found.results[0]).toMatchObject({ memory: expect.stringMatching(/allergic to nuts/i), similarity: expect.any(Number) });
	const documents = await client.search.documents({ q: "allergic to nuts", containerTag });
	expect(documents.results[0]?.documentId).toBe(id);
});

async function ready(client: Supermemory, id: string): Promise<void> {
	await until(async () => {
		const document = await client.documents.get(id);
		expect(document.status).not.toBe("failed");
		return document.status === "done" && (document as { dreamingStatus?: string }).dreamingStatus === "done";
	});
}
