/** `Idempotency-Key`: one effect and one answer, however often, however parallel, and over a restart. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdsText } from "../doubles/holds-text.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let folder: string;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-once-"));
	server = await startTestServer([], {}, { folder });
	client = await server.client();
});
afterAll(async () => {
	await server.dispose();
	await rm(folder, { recursive: true, force: true });
});

const once = (key: string) => ({ headers: { "idempotency-key": key } });
const add = (key: string, content: string, who = client) => who.send("POST", "/v3/documents", { content }, once(key));
const documents = async (who = client) => {
	const listed = (await (await who.send("POST", "/v3/documents/list", { limit: 1_000 })).json()) as { readonly pagination: { readonly totalItems: number } };
	return listed.pagination.totalItems;
};
const recordsOf = async (kind: "idempotency") => {
	const { storage, world } = server.parts;
	const organisations = await storage.accounts.organisations();
	return (await Promise.all(organisations.map(({ id }) => storage.organisation(id).records.list(kind, null, 1_000, world.now())))).flat();
};
const told = async (answer: Response) => {
	const { code } = (await answer.json()) as { readonly code?: string };
	return [answer.status, code];
};

describe("a repeated request", () => {
	test("gets the first answer byte for byte, and does nothing", async () => {
		const before = await documents();
		const first = await add("one", "Ada wrote the first program.");
		const bytes = await first.text();
		for (let i = 0; i < 3; i++) {
			const again = await add("one", "Ada wrote the first program.");
			expect([again.status, await again.text(), again.headers.get("idempotency-replayed")]).toEqual([200, bytes, "true"]);
			for (const name of ["content-type", "x-request-id", "cache-control"]) expect(again.headers.get(name)).toBe(first.headers.get(name));
		}
		expect(first.headers.has("idempotency-replayed")).toBe(false);
		expect(await documents()).toBe(before + 1);
	});

	test("is answered from a record that holds nothing of it in plain, for what it was about may be deleted meanwhile", async () => {
		const memories = { containerTag: "gates", memories: [{ content: "The gate has the code 4711." }] };
		const first = await client.send("POST", "/v4/memories", memories, once("gate"));
		const record = JSON.stringify(await recordsOf("idempotency"));
		// What a server of an earlier version reads as an answer that is not known.
		expect(record).toContain('"answered":{"body":"","answer":null}');
		for (const text of ["The gate has the code", "documentId"]) expect(holdsText(Buffer.from(record), text)).toBe(false);
		expect(record).not.toContain(new Bun.CryptoHasher("sha256").update(JSON.stringify(memories)).digest("hex"));
		const again = await client.send("POST", "/v4/memories", memories, once("gate"));
		expect([again.headers.get("idempotency-replayed"), await again.text()]).toEqual(["true", await first.text()]);
	});

	test("of many at once one acts; the others wait their turn or get its answer", async () => {
		const before = await documents();
		const answers = await Promise.all(Array.from({ length: 20 }, () => add("crowd", "Many ask at once.")));
		const fresh = answers.filter((answer) => answer.status === 200 && !answer.headers.has("idempotency-replayed"));
		expect(fresh).toHaveLength(1);
		for (const answer of answers) {
			if (answer.status === 200) continue;
			expect([answer.headers.get("x-should-retry"), answer.headers.get("retry-after")]).toEqual(["true", "1"]);
			expect(await told(answer)).toEqual([409, "IDEMPOTENCY_IN_FLIGHT"]);
		}
		expect(await (await add("crowd", "Many ask at once.")).text()).toBe(await (fresh[0] as Response).text());
		expect(await documents()).toBe(before + 1);
	});

	test("that changes a document is known again, even where the document is called like what only reads", async () => {
		await client.send("POST", "/v3/documents", { content: "A list of birds.", customId: "list" });
		const change = () => client.send("PATCH", "/v3/documents/list", { metadata: { birds: 3 } }, once("birds"));
		const [first, again] = [await change(), await change()];
		expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([200, 200, "true"]);
	});

	test("with another body, path or method is refused; under another key it is another request", async () => {
		await add("fixed", "The first.");
		expect(await told(await add("fixed", "The second."))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
		expect(await told(await client.send("POST", "/v3/documents/batch", { documents: ["The first."] }, once("fixed")))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
		expect(await told(await client.send("DELETE", "/v3/documents/x", undefined, once("fixed")))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
		const stranger = await server.client();
		expect((await add("fixed", "The second.", stranger)).headers.has("idempotency-replayed")).toBe(false);
		expect(await documents(stranger)).toBe(1);
	});

	test("that deleted is not told that there is nothing: it gets its 204 again", async () => {
		const { id } = (await (await client.send("POST", "/v3/documents", { content: "Short lived." })).json()) as { readonly id: string };
		const remove = () => client.send("DELETE", `/v3/documents/${id}`, undefined, once("gone"));
		expect((await remove()).status).toBe(204);
		const again = await remove();
		expect([again.status, await again.text(), again.headers.get("idempotency-replayed")]).toEqual([204, "", "true"]);
		expect((await client.send("DELETE", `/v3/documents/${id}`)).status).toBe(404);
	});

	test("that was wrong stays wrong, also when what it lacked has come", async () => {
		const change = () => client.send("PATCH", "/v3/documents/comes-later", { metadata: { a: 1 } }, once("too-early"));
		expect((await change()).status).toBe(404);
		await client.send("POST", "/v3/documents", { content: "Here I am.", customId: "comes-later" });
		const again = await change();
		expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([404, "true"]);
	});

	test("of a file is known by what is in it, with whatever boundary", async () => {
		const upload = (text: string) => {
			const form = new FormData();
			form.set("file", new File([text], "note.txt", { type: "text/plain" }));
			form.set("containerTag", "files");
			return client.send("POST", "/v3/documents/file", undefined, { body: form, ...once("upload") });
		};
		const before = await documents();
		const first = await upload("Otto lives in Ulm. ".repeat(10_000));
		expect(first.status).toBe(200);
		const again = await upload("Otto lives in Ulm. ".repeat(10_000));
		expect([await again.text(), again.headers.get("idempotency-replayed")]).toEqual([await first.text(), "true"]);
		expect(await told(await upload("Otto lives in Bonn."))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
		expect(await documents()).toBe(before + 1);
	});
});

describe("what is not kept", () => {
	test("reads are answered anew, and an unknown key is told so", async () => {
		const search = () => client.send("POST", "/v3/search", { q: "Ada" }, once("search"));
		for (let i = 0; i < 2; i++) expect((await search()).headers.has("idempotency-replayed")).toBe(false);
		expect((await server.clientWith("sm_nobody_has_this").send("POST", "/v3/documents", { content: "x" }, once("x"))).status).toBe(401);
	});

	test("a name that is none is refused, and the draft's quotation marks are none of it", async () => {
		for (const name of ["two words", "", `${"x".repeat(256)}`]) expect((await add(name, "x")).status).toBe(400);
		await add('"quoted"', "With marks.");
		expect((await add("quoted", "With marks.")).headers.get("idempotency-replayed")).toBe("true");
	});
});

test("after a restart a repeated request gets the same answer; one that was cut off is not done again", async () => {
	const before = await documents();
	const bytes = await (await add("restart", "Written before the restart.")).text();
	const endless = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"content":')) });
	void client.send("POST", "/v3/documents", undefined, { body: endless, ...once("cut-off") });
	while ((await told(await add("cut-off", "Cut off.")))[1] !== "IDEMPOTENCY_IN_FLIGHT") await Bun.sleep(1);
	await server.dispose();
	server = await startTestServer([], {}, { folder });
	client = server.clientWith(client.key);
	const again = await add("restart", "Written before the restart.");
	expect([await again.text(), again.headers.get("idempotency-replayed")]).toEqual([bytes, "true"]);
	expect(await told(await add("cut-off", "Cut off."))).toEqual([409, "IDEMPOTENCY_UNKNOWN"]);
	expect(await documents()).toBe(before + 1);
});
