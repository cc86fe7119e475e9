/** A source is rolled back in one call: all that rests only on it is gone from search, profile and graph, and an undo brings it back. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Config, definePlugin } from "cairn-memory";
import { z } from "zod";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

type Body = Readonly<Record<string, unknown>>;
const json = async (answer: Promise<Response>) => (await (await answer).json()) as Body;

/** Whatever says "so" follows from all that is known. */
const following = definePlugin({
	name: "memory-linker-following",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({
		memoryLinker: [
			{
				name: "following",
				link: async (draft, neighbours) => ({
					links: draft.text.includes("likely") ? neighbours.map(({ memory }) => ({ relation: "derives" as const, target: memory.id })) : [],
					duplicateOf: null,
				}),
			},
		],
		memoryExtractor: [
			{
				name: "following-1",
				extract: async ({ document, chunks }) =>
					chunks
						.filter(({ text }) => text.includes("likely"))
						.map(({ id, text }) => ({
							text,
							isStatic: false,
							isInference: true,
							confidence: 0.5,
							subject: null,
							eventTime: null,
							forgetAfter: null,
							evidence: [{ document: document.id, chunk: id, span: [0, text.length] as const }],
						})),
			},
		],
	}),
});

const storages: readonly (readonly [string, Config])[] = [
	["sqlite", { plugins: [following()] }],
	["ram", { plugins: [following()], use: { storage: "ram" } }],
];

for (const [name, config] of storages) {
	describe(`on ${name}`, () => {
		let server: TestServer;
		let client: TestClient;
		beforeAll(async () => {
			server = await startTestServer([], config);
			client = await server.client();
		});
		afterAll(() => server.dispose());

		async function add(content: string, customId: string, more: Body = {}): Promise<string> {
			const { id } = await json(client.send("POST", "/v3/documents", { content, customId, containerTag: "home", dreaming: "instant", ...more }));
			await client.finished(String(id));
			return String(id);
		}
		const rollBack = (body: Body) => json(client.send("POST", "/v4/sources/rollback", body));

		/** What search, profile, list and graph show, each for itself. */
		async function shown(tag = "home"): Promise<readonly (readonly string[])[]> {
			const { results } = (await json(client.send("POST", "/v4/search", { q: "who", containerTag: tag, threshold: 0, limit: 50 }))) as {
				results: { memory: string }[];
			};
			const { profile } = (await json(client.send("POST", "/v4/profile", { containerTag: tag }))) as { profile: Record<string, string[]> };
			const { memoryEntries } = (await json(client.send("POST", "/v4/memories/list", { containerTags: [tag], limit: 50 }))) as {
				memoryEntries: { memory: string }[];
			};
			const { graph } = (await json(client.send("GET", `/v4/graph?containerTag=${tag}`))) as unknown as {
				graph: { nodes: Record<string, { label: string; metadata: { isLatest: boolean } }> };
			};
			const latest = Object.values(graph.nodes).filter(({ metadata }) => metadata.isLatest);
			return [
				results.map(({ memory }) => memory),
				[...(profile["static"] ?? []), ...(profile["dynamic"] ?? [])],
				memoryEntries.map(({ memory }) => memory),
				latest.map(({ label }) => label),
			].map((texts) => texts.toSorted());
		}
		const fourTimes = (...texts: readonly string[]) => Array.from({ length: 4 }, () => texts.toSorted());

		test("what rests on it alone is gone, what has another source stays, and the former version is current again", async () => {
			await add("Ada lives in Ulm.", "letter-1");
			await add("Ben plays the oboe.", "letter-2");
			await add("Ada lives in Bonn. Ben plays the oboe. Cleo likes chess.", "spam-1");
			await add("Cleo is likely a champion.", "spam-2");
			const before = await shown();
			expect(before).toEqual(fourTimes("Ada lives in Bonn.", "Ben plays the oboe.", "Cleo likes chess.", "Cleo is likely a champion."));
			const told = await rollBack({ customIdPrefix: "spam-", dryRun: true });
			expect(told).toMatchObject({ dryRun: true, documentCount: 2, sharedMemoryCount: 1, removalId: null });
			expect(await shown()).toEqual(before);
			const done = await rollBack({ customIdPrefix: "spam-" });
			expect(done).toMatchObject({ documentCount: 2, memoryCount: told["memoryCount"], sharedMemoryCount: 1 });
			expect(await shown()).toEqual(fourTimes("Ada lives in Ulm.", "Ben plays the oboe."));
			expect((await client.send("POST", "/v3/documents/restore", { removalId: done["removalId"] })).status).toBe(200);
			expect(await shown()).toEqual(before);
		});

		test("what was inferred from it goes as well, though another document says it", async () => {
			await add("Dora works at Brightwater.", "fact-1", { containerTag: "work" });
			const inference = await add("Dora is likely in Kiel.", "guess-1", { containerTag: "work" });
			expect(await shown("work")).toEqual(fourTimes("Dora works at Brightwater.", "Dora is likely in Kiel."));
			const { documentCount, memoryCount, removalId } = await rollBack({ ids: ["fact-1"] });
			expect([documentCount, memoryCount]).toEqual([1, 2]);
			expect(await shown("work")).toEqual(fourTimes());
			expect((await client.send("GET", `/v3/documents/${inference}`)).status).toBe(200);
			await client.send("POST", "/v3/documents/restore", { removalId });
			expect(await shown("work")).toEqual(fourTimes("Dora works at Brightwater.", "Dora is likely in Kiel."));
		});

		test("a source is a key, a filter or a path as well, within the containers that are named", async () => {
			const { key, id: keyId } = (await json(client.send("POST", "/v3/auth/agent-key", { name: "leaked", permission: "write" }))) as Record<string, string>;
			const leaked = server.clientWith(key ?? "");
			const { id } = await json(leaked.send("POST", "/v3/documents", { content: "Emil lives in Jena.", containerTag: "filed", dreaming: "instant" }));
			await leaked.finished(String(id));
			await add("Emil plays chess.", "filed-1", { containerTag: "filed", metadata: { source: "forum" } });
			await add("Emil likes tea.", "filed-2", { containerTag: "filed", filepath: "/inbox/a" });
			await add("Fred likes tea.", "other-1", { containerTag: "other", metadata: { source: "forum" } });
			const filters = { AND: [{ key: "source", value: "forum" }] };
			const count = async (body: Body) => (await rollBack({ dryRun: true, ...body }))["documentCount"];
			expect(await count({ keyId })).toBe(1);
			expect(await count({ filters })).toBe(2);
			expect(await count({ filters, containerTag: "filed" })).toBe(1);
			expect(await count({ filepath: "/inbox/" })).toBe(1);
			expect(await count({ connectionId: keyId ?? "" })).toBe(0);
			await rollBack({ keyId });
			expect(await shown("filed")).toEqual(fourTimes("Emil likes tea.", "Emil plays chess."));
		});

		test("a call that was cut off is repeated under its name, and undone at once", async () => {
			await add("Gina lives in Trier.", "cut-1", { containerTag: "cut" });
			await add("Gina likes rowing.", "cut-2", { containerTag: "cut" });
			const removalId = "2222222222222222222222";
			await rollBack({ ids: ["cut-1"], removalId });
			expect(await rollBack({ customIdPrefix: "cut-", removalId })).toMatchObject({ documentCount: 1, removalId });
			expect(await shown("cut")).toEqual(fourTimes());
			expect(await json(client.send("POST", "/v3/documents/restore", { removalId }))).toMatchObject({ restoredCount: 2 });
		});

		test("a source that is named in no way, or in two, is refused, and an unknown document is told", async () => {
			for (const wrong of [{}, { containerTag: "home" }, { ids: ["a"], keyId: "b" }, { customIdPrefix: "" }, { ids: ["a"], removalId: "mine" }]) {
				expect([JSON.stringify(wrong), (await client.send("POST", "/v4/sources/rollback", wrong)).status]).toEqual([JSON.stringify(wrong), 400]);
			}
			expect(await rollBack({ ids: ["nobody"] })).toMatchObject({ documentCount: 0, removalId: null, errors: [{ id: "nobody", code: "DOCUMENT_MISSING" }] });
		});

		test("a key rolls back no more than it may change", async () => {
			await add("Hanna likes figs.", "own-1", { containerTag: "own" });
			await add("Hanna likes plums.", "own-2", { containerTags: ["own", "foreign"], containerTag: undefined });
			await add("Hanna likes pears.", "own-3", { containerTag: "foreign" });
			const made = await json(client.send("POST", "/v3/auth/agent-key", { name: "bound", permission: "write", containerTags: ["own"] }));
			const bound = server.clientWith(String(made["key"]));
			const answer = await json(bound.send("POST", "/v4/sources/rollback", { customIdPrefix: "own-" }));
			expect(answer).toMatchObject({ documentCount: 1, errors: [{ code: "CONTAINER_FORBIDDEN" }] });
			expect((await client.send("GET", "/v3/documents/own-3")).status).toBe(200);
			const reading = await json(client.send("POST", "/v3/auth/agent-key", { name: "reading", permission: "read" }));
			const reader = server.clientWith(String(reading["key"]));
			expect((await reader.send("POST", "/v4/sources/rollback", { customIdPrefix: "own-", dryRun: true })).status).toBe(200);
			expect((await reader.send("POST", "/v4/sources/rollback", { customIdPrefix: "own-" })).status).toBe(403);
		});
	});
}
