/** Undo over HTTP: everything answers as before, what was changed meanwhile stays, time ends it, and no byte is left behind. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

type Body = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Body;
const dayMs = 24 * 60 * 60_000;

/** The clock of the server, moved by hand. */
const clock = { aheadMs: 0 };
let folder: string;
let server: TestServer;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-undo-"));
	server = await startTestServer([], {}, { folder, world: { now: () => new Date(Date.now() + clock.aheadMs) } });
});
afterAll(async () => {
	await server.dispose();
	await rm(folder, { recursive: true, force: true });
});

async function add(client: TestClient, body: Body): Promise<string> {
	const { id } = await json(client.send("POST", "/v3/documents", { dreaming: "instant", containerTag: "home", ...body }));
	await client.finished(String(id));
	return String(id);
}
const removeAll = (client: TestClient, ids: readonly string[]) => json(client.send("DELETE", "/v3/documents/bulk", { ids }));
const restore = (client: TestClient, removalId: unknown) => client.send("POST", "/v3/documents/restore", { removalId });

const towns = ["Ulm", "Bonn", "Jena", "Kiel"];
const people = ["Ada", "Ben", "Cleo"];
const note = fc.record({ who: fc.constantFrom(...people), town: fc.constantFrom(...towns), likes: fc.constantFrom("tea", "rye bread", "chess", "rowing") });

/** All that can be asked, without what changes from one moment to the next. */
async function answers(client: TestClient): Promise<string> {
	const asked = await Promise.all([
		...people.flatMap((who) => [
			json(client.send("POST", "/v3/search", { q: `where does ${who} live`, limit: 50, includeFullDocs: true })),
			json(client.send("POST", "/v4/search", { q: `where does ${who} live`, threshold: 0, limit: 50 })),
			json(
				client.send("POST", "/v4/search", { q: `what does ${who} like`, threshold: 0, limit: 50, searchMode: "hybrid", include: { forgottenMemories: true } }),
			),
		]),
		json(client.send("POST", "/v3/documents/list", { limit: 100, includeContent: true })),
		json(client.send("POST", "/v4/memories/list", { containerTags: ["home"], limit: 100 })),
		json(client.send("POST", "/v4/profile", { containerTag: "home" })),
	]);
	return JSON.stringify(asked, (key, value) => (["timing", "updatedAt", "updated_at", "requestId"].includes(key) ? undefined : value), 1);
}

test("deleting any documents and taking it back leaves every answer as it was", async () => {
	const property = fc.asyncProperty(fc.array(note, { minLength: 2, maxLength: 7 }), fc.infiniteStream(fc.boolean()), async (notes, coin) => {
		const client = await server.client();
		const ids: string[] = [];
		for (const { who, town, likes } of notes) ids.push(await add(client, { content: `${who} lives in ${town}. ${who} likes ${likes}.` }));
		const written = await json(client.send("POST", "/v4/memories", { containerTag: "home", memories: [{ content: "Ada prefers quiet rooms" }] }));
		ids.push(String(written["documentId"]));
		const before = await answers(client);
		const chosen = ids.filter(() => coin.next().value === true);
		if (chosen.length === 0) return;
		const { removalId, deletedCount } = await removeAll(client, chosen);
		expect(deletedCount).toBe(chosen.length);
		for (const id of chosen) expect(await answers(client)).not.toContain(id);
		expect(await json(restore(client, removalId))).toMatchObject({ success: true, restoredCount: chosen.length });
		expect(await answers(client)).toBe(before);
	});
	await fc.assert(property, { seed: 21, numRuns: 12 });
}, 120_000);

describe("time", () => {
	test("ends what can be undone, for documents and for memories", async () => {
		const client = await server.client();
		const id = await add(client, { content: "Ben lives in Ulm." });
		const { removalId } = await removeAll(client, [id]);
		await client.send("POST", "/v4/memories", { containerTag: "home", memories: [{ content: "Cleo rows" }] });
		const forgotten = await json(client.send("DELETE", "/v4/memories", { containerTag: "home", content: "Cleo rows" }));
		clock.aheadMs += 7 * dayMs + 1_000;
		expect((await restore(client, removalId)).status).toBe(404);
		for (const name of [{ forgetBatchId: forgotten["forgetBatchId"] }, { id: forgotten["id"] }]) {
			const answer = await client.send("POST", "/v4/memories/restore", { containerTag: "home", ...name });
			expect([answer.status, ((await answer.json()) as Body)["code"]]).toEqual([404, "UNDO_EXPIRED"]);
		}
	});

	test("lets go of the bytes, and not before", async () => {
		const client = await server.client();
		const bytes = `A letter of ${"many ".repeat(50)} words, and the word quagga.`;
		const form = new FormData();
		form.append("file", new File([bytes], "letter.txt", { type: "text/plain" }));
		const { id } = await json(client.send("POST", "/v3/documents/file", undefined, { body: form }));
		await client.finished(String(id));
		const before = await blobs();
		expect(before.length).toBeGreaterThan(0);
		await removeAll(client, [String(id)]);
		await age(before);
		await server.maintain();
		expect(await blobs()).toEqual(before);
		const chunksKept = await countRows();
		clock.aheadMs += 7 * dayMs + 1_000;
		await server.maintain();
		await until(async () => (await blobs()).length === 0);
		expect(await countRows()).toBeLessThan(chunksKept);
	});

	/** A blob that is written just now may belong to a document that is about to be. */
	async function age(paths: readonly string[]): Promise<void> {
		const yesterday = new Date(Date.now() - dayMs);
		for (const path of paths) await utimes(path, yesterday, yesterday);
	}

	async function blobs(): Promise<readonly string[]> {
		const entries = await readdir(folder, { recursive: true, withFileTypes: true });
		return entries.filter((entry) => entry.isFile() && entry.parentPath.includes("/blobs/")).map((entry) => join(entry.parentPath, entry.name));
	}

	async function countRows(): Promise<number> {
		const { Database } = await import("bun:sqlite");
		const file = (await readdir(folder, { recursive: true })).map(String).find((name) => name.endsWith("cairn.sqlite")) ?? "";
		using db = new Database(join(folder, file), { readonly: true });
		const sql = "SELECT (SELECT count(*) FROM chunks) + (SELECT count(*) FROM removed_documents) + (SELECT count(*) FROM document_texts) AS n";
		return (db.query(sql).get() as { n: number }).n;
	}
});

test("with CAIRN_UNDO_DAYS=0 bulk deletion is final and keeps nothing", async () => {
	const final = await startTestServer(["--undo-days=0"]);
	try {
		const client = await final.client();
		const id = await add(client, { content: "Ben lives in Ulm." });
		expect(await removeAll(client, [id])).toMatchObject({ deletedCount: 1, removalId: null });
		expect((await client.send("GET", `/v3/documents/${id}`)).status).toBe(404);
	} finally {
		await final.dispose();
	}
});

test("a single deletion is final", async () => {
	const client = await server.client();
	const [first, second] = [await add(client, { content: "Ada lives in Kiel." }), await add(client, { content: "Ben lives in Bonn." })];
	const { removalId } = await removeAll(client, [first]);
	expect((await client.send("DELETE", `/v3/documents/${second}`)).status).toBe(204);
	expect(await json(restore(client, removalId))).toMatchObject({ restoredCount: 1, documents: [{ id: first }] });
	expect((await client.send("GET", `/v3/documents/${second}`)).status).toBe(404);
});
