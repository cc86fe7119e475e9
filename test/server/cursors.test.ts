/** Walking a list by its cursors while others add and delete: what stays is met exactly once, in order. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { seededRandom } from "../contract/samples.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

let server: TestServer;
beforeAll(async () => {
	server = await startTestServer();
});
afterAll(() => server.dispose());

interface Listing {
	readonly items: readonly { readonly id: string; readonly createdAt: string }[];
	readonly total: number;
	readonly currentPage: number;
	readonly nextCursor: string | null;
}
type Ask = (client: TestClient, body: Record<string, unknown>) => Promise<Listing>;

const post =
	(path: string, member: string, more: object = {}): Ask =>
	async (client, body) => {
		const answer = (await (await client.send("POST", path, { ...more, ...body })).json()) as Record<string, unknown>;
		const { totalItems, currentPage } = answer["pagination"] as { readonly totalItems: number; readonly currentPage: number };
		return { items: answer[member] as Listing["items"], total: totalItems, currentPage, nextCursor: answer["nextCursor"] as string | null };
	};

const addMany = async (client: TestClient, count: number) => {
	const documents = Array.from({ length: count }, (_, i) => ({ content: `Note ${i}.`, taskType: "superrag" }));
	const answer = (await (await client.send("POST", "/v3/documents/batch", { documents })).json()) as { readonly results: { readonly id: string }[] };
	return answer.results.map(({ id }) => id);
};

const lists: Readonly<Record<string, Ask>> = {
	"/v3/documents/list": post("/v3/documents/list", "memories"),
	"/v3/documents/documents": post("/v3/documents/documents", "documents"),
	"/v3/memories/list": post("/v3/memories/list", "memories"),
};

describe("documents", () => {
	for (const [path, ask] of Object.entries(lists)) {
		for (const order of ["asc", "desc"]) {
			test(`${path}, ${order}`, async () => {
				const random = seededRandom(path.length);
				const client = await server.client();
				const stays = new Set(await addMany(client, 25));
				const met: string[] = [];
				let page = 1;
				let cursor: string | null = null;
				do {
					// The order is the cursor's: it need not be said again.
					const asked: Listing = await ask(client, { limit: 1 + Math.floor(random() * 6), ...(cursor === null ? { order } : { cursor }) });
					expect(asked.currentPage).toBe(page++);
					const times = asked.items.map(({ createdAt }) => createdAt);
					expect(order === "asc" ? times : times.toReversed()).toEqual(times.toSorted());
					met.push(...asked.items.map(({ id }) => id));
					cursor = asked.nextCursor;
					if (page < 12) await addMany(client, 1);
					const gone = random() < 0.5 ? asked.items.at(-1)?.id : [...stays][Math.floor(random() * stays.size)];
					if (gone !== undefined) {
						stays.delete(gone);
						await client.send("DELETE", `/v3/documents/${gone}`);
					}
				} while (cursor !== null);
				expect(met.length).toBe(new Set(met).size);
				expect([...stays].filter((id) => !met.includes(id))).toEqual([]);
			});
		}
	}
});

test("memories", async () => {
	const client = await server.client();
	const contents = ["one", "two", "three", "four", "five"].map((content) => ({ content }));
	const made = await client.send("POST", "/v4/memories", { containerTag: "box", memories: contents });
	const ids = ((await made.json()) as { readonly memories: { readonly id: string }[] }).memories.map(({ id }) => id);
	const ask = post("/v4/memories/list", "memoryEntries", { containerTags: ["box"] });
	const first = await ask(client, { limit: 2 });
	await client.send("POST", "/v4/memories", { containerTag: "box", memories: [{ content: "six" }] });
	const second = await ask(client, { limit: 2, cursor: first.nextCursor });
	const third = await ask(client, { limit: 2, cursor: second.nextCursor });
	expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
	expect([second.total, second.currentPage, third.nextCursor]).toEqual([6, 2, null]);
});
