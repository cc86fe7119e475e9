/** A key bound to one container beside its own organisation's others, and one of another organisation: every route there is, with what is foreign in every place. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

/** Words nobody would write, and none of them may ever be seen by the key. */
const canary = "zanzibarquux";
const foreignTag = "vaultquux";
const text = `Ottilie keeps the ${canary} in a blue box. Ottilie lives in Ulm.`;

let server: TestServer;
let owner: TestClient;
/** May write to `garden` and read `shed`. */
let gardener: TestClient;
/** May only read `garden`. */
let reader: TestClient;
/** Of another organisation, in which it may do all. */
let stranger: TestClient;
let foreignId: string;
let sharedId: string;
let memoryId: string;
let before: unknown;

const json = async (answer: Promise<Response> | Response) => (await (await answer).json()) as Record<string, unknown>;
const add = async (client: TestClient, body: unknown) => String((await json(client.send("POST", "/v3/documents", body)))["id"]);
const code = async (client: TestClient, method: string, path: string, body?: unknown) => {
	const answer = await client.send(method, path, body);
	return [answer.status, answer.status === 204 ? undefined : (await json(answer))["code"]];
};
const makeKey = async (body: object) => {
	const made = await json(owner.send("POST", "/v3/auth/agent-key", { name: "test", permission: "write", ...body }));
	return server.clientWith(String(made["key"]));
};
const foreign = async () => {
	const listed = await json(owner.send("POST", "/v4/memories/list", { containerTags: [foreignTag], limit: 100 }));
	return [await json(owner.send("GET", `/v3/documents/${foreignId}`)), listed, await json(owner.send("GET", `/v3/documents/${sharedId}`))];
};

beforeAll(async () => {
	server = await startTestServer();
	owner = await server.client();
	gardener = await makeKey({ containerTags: ["garden", { containerTag: "shed", permission: "read" }] });
	reader = await makeKey({ containerTags: ["garden"], permission: "read" });
	stranger = await server.client();
	foreignId = await add(owner, { content: text, customId: "foreign-name", containerTag: foreignTag, filepath: "/secret/a", metadata: { owner: canary } });
	sharedId = await add(owner, { content: "Paul shares his tomatoes.", customId: "shared-name", containerTags: ["garden", foreignTag] });
	await owner.finished(foreignId);
	await owner.finished(sharedId);
	const made = await json(owner.send("POST", "/v4/memories", { containerTag: foreignTag, memories: [{ content: `Ottilie hides a ${canary}.` }] }));
	memoryId = (made["memories"] as { readonly id: string }[])[0]?.id ?? "";
	await gardener.finished(await add(gardener, { content: "Paul grows tomatoes in Bonn.", customId: "own-name" }));
	before = await foreign();
});
afterAll(() => server.dispose());

interface Operation {
	readonly parameters?: readonly { readonly in: string; readonly name: string }[];
	readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: Readonly<Record<string, unknown>> }>> };
}

test("every documented route, with foreign ids, names and containers in every place, shows and changes nothing", async () => {
	const { paths } = (await json(owner.send("GET", "/openapi.json"))) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
	const told: string[] = [];
	let asked = 0;
	for (const [path, item] of Object.entries(paths)) {
		for (const [method, { requestBody }] of Object.entries(item)) {
			const example = requestBody?.content["application/json"]?.example;
			for (const name of [foreignId, "foreign-name", sharedId, memoryId, foreignTag]) {
				for (const body of example === undefined ? [undefined] : bodiesOf(example, name)) {
					const at = `${path.replaceAll(/\{\w+\}/g, name)}${method === "get" && path.endsWith("/search") ? `?q=${canary}&threshold=0` : ""}`;
					for (const client of [gardener, reader, stranger]) {
						const answer = await client.send(method.toUpperCase(), at, body);
						const isStream = answer.headers.get("content-type")?.includes("event-stream") === true;
						const answered = isStream ? "" : await answer.text();
						if (isStream) await answer.body?.cancel();
						asked++;
						expect([at, answer.status < 500], answered).toEqual([at, true]);
						// What was asked may be repeated in a complaint; what was not asked may not be known.
						// The stranger has made containers of its own by all these names, as it may.
						const secrets = client === stranger ? [canary] : [canary, foreignTag, foreignId, memoryId];
						const unasked = secrets.filter((word) => !`${at} ${JSON.stringify(body)}`.includes(word));
						for (const word of unasked) if (answered.includes(word)) told.push(`${method} ${at} ${JSON.stringify(body)} → ${word}: ${answered.slice(0, 300)}`);
					}
				}
			}
		}
	}
	expect(told).toEqual([]);
	expect(asked).toBeGreaterThan(200);
	expect(await foreign()).toEqual(before as never);
}, 240_000);

/** Not those by which a client names what it makes: the key may call its own things what it likes. */
const namesWhatIsThere = /^(id|ids|docId|documentIds?|memoryIds?|merge(Id)?|batch|forgetBatchId|removal(Id)?)$/;

/** The example as it is, with every id of it foreign, and with the container named, both ways. */
function bodiesOf(example: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
	const { containerTag: _, containerTags: __, ...plain } = example;
	const turned = Object.fromEntries(
		Object.entries(plain).map(([key, value]) => [key, namesWhatIsThere.test(key) ? (Array.isArray(value) ? [name] : name) : value]),
	);
	return [plain, turned, { ...turned, containerTag: foreignTag }, { ...turned, containerTags: ["garden", foreignTag] }];
}

describe("what is foreign", () => {
	const routes: readonly (readonly [method: string, path: (name: string) => string, body?: (name: string) => unknown])[] = [
		["GET", (name) => `/v3/documents/${name}`],
		["GET", (name) => `/v3/documents/${name}/chunks`],
		["GET", (name) => `/v3/documents/${name}/file-url`],
		["GET", (name) => `/v3/documents/${name}/pages/1`],
		["PATCH", (name) => `/v3/documents/${name}`, () => ({ content: "Taken over." })],
		["DELETE", (name) => `/v3/documents/${name}`],
		["POST", () => "/v3/search", (name) => ({ q: canary, docId: name })],
		["POST", () => "/v4/search", (name) => ({ q: canary, docId: name, threshold: 0 })],
	];
	test("is told from what is nowhere by nothing", async () => {
		for (const [method, path, body] of routes) {
			const unknown = await json(gardener.send(method, path("nobody-has-this"), body?.("nobody-has-this")));
			for (const name of [foreignId, "foreign-name"]) {
				const answer = await gardener.send(method, path(name), body?.(name));
				expect([method, answer.status]).toEqual([method, 404]);
				expect({ ...(await json(answer)), requestId: "" }).toEqual({ ...unknown, requestId: "" } as never);
			}
		}
	});

	test("is refused by name, before anything is done", async () => {
		const named: readonly (readonly [string, string, object])[] = [
			["POST", "/v3/documents", { content: "x", containerTag: foreignTag }],
			["POST", "/v3/documents", { content: "x", containerTags: ["garden", foreignTag] }],
			["PATCH", "/v3/documents/own-name", { containerTag: foreignTag }],
			["POST", "/v3/documents/list", { containerTags: [foreignTag] }],
			["DELETE", "/v3/documents/bulk", { containerTags: ["garden", foreignTag] }],
			["POST", "/v3/search", { q: "x", containerTags: ["garden", foreignTag] }],
			["POST", "/v4/search", { q: "x", containerTag: foreignTag, searchMode: "hybrid" }],
			["POST", "/v4/memories", { containerTag: foreignTag, memories: [{ content: "x" }] }],
			["POST", "/v4/memories/list", { containerTags: [foreignTag] }],
			["POST", "/v4/conversations", { conversationId: "c", messages: [{ role: "user", content: "x" }], containerTag: foreignTag }],
		];
		for (const [method, path, body] of named)
			expect([path, body, await code(gardener, method, path, body)]).toEqual([path, body, [403, "CONTAINER_FORBIDDEN"]]);
		expect(await json(gardener.send("POST", "/v3/documents/batch", { documents: ["x"], containerTag: foreignTag }))).toMatchObject({ success: 0, failed: 1 });
		expect(await foreign()).toEqual(before as never);
	});

	test("says nothing by its customId: the key gives the same to a document of its own", async () => {
		const own = await json(gardener.send("POST", "/v3/documents", { content: "Mine.", customId: "foreign-name" }));
		expect(own["id"]).not.toBe(foreignId);
		expect(await json(gardener.send("GET", "/v3/documents/foreign-name"))).toMatchObject({ id: own["id"] });
		expect(await code(gardener, "PATCH", "/v3/documents/own-name", { customId: "foreign-name" })).toEqual([409, "CUSTOM_ID_TAKEN"]);
		expect(await code(gardener, "DELETE", "/v3/documents/foreign-name")).toEqual([204, undefined]);
		expect(await foreign()).toEqual(before as never);
	});
});

describe("what is shared with a foreign container", () => {
	test("is seen, without the name of the other, and not changed", async () => {
		expect(await json(gardener.send("GET", "/v3/documents/shared-name"))).toMatchObject({ id: sharedId, containerTags: ["garden"] });
		for (const [method, body] of [["PATCH", { metadata: { a: 1 } }], ["DELETE"]] as const)
			expect(await code(gardener, method, "/v3/documents/shared-name", body)).toEqual([403, "CONTAINER_FORBIDDEN"]);
		expect(await code(gardener, "POST", "/v3/documents", { content: "Other.", customId: "shared-name" })).toEqual([403, "CONTAINER_FORBIDDEN"]);
		expect(await foreign()).toEqual(before as never);
	});
});

describe("a key's own container", () => {
	test("is meant where none is named, wherever something is written or found", async () => {
		const inGarden = async (id: string) => expect(await json(owner.send("GET", `/v3/documents/${id}`))).toMatchObject({ containerTags: ["garden"] });
		await inGarden(await add(gardener, { content: "One." }));
		const batch = await json(gardener.send("POST", "/v3/documents/batch", { documents: ["Two.", "Three."] }));
		for (const { id } of batch["results"] as { readonly id: string }[]) await inGarden(id);
		const form = new FormData();
		form.set("file", new File(["Four."], "four.txt"));
		await inGarden(String((await json(gardener.send("POST", "/v3/documents/file", undefined, { body: form })))["id"]));
		const messages = [{ role: "user", content: "Five." }];
		await inGarden(String((await json(gardener.send("POST", "/v4/conversations", { conversationId: "c", messages })))["id"]));
		const written = await json(gardener.send("POST", "/v4/memories", { memories: [{ content: "Paul likes plums." }] }));
		await inGarden(String(written["documentId"]));
		const listed = await json(gardener.send("POST", "/v4/memories/list", {}));
		expect(JSON.stringify(listed)).toContain("Paul likes plums.");
		expect(await code(gardener, "DELETE", "/v4/memories", { content: "Paul likes plums." })).toEqual([200, undefined]);
	});

	test("may be read and not written, where the key says so", async () => {
		await owner.finished(await add(owner, { content: "The shed holds a spade.", customId: "spade", containerTag: "shed" }));
		expect(JSON.stringify(await json(gardener.send("POST", "/v3/search", { q: "spade" })))).toContain("The shed holds a spade.");
		expect(await code(gardener, "POST", "/v3/documents", { content: "x", containerTag: "shed" })).toEqual([403, "CONTAINER_FORBIDDEN"]);
		expect(await code(gardener, "DELETE", "/v3/documents/spade")).toEqual([403, "CONTAINER_FORBIDDEN"]);
		expect(await code(reader, "GET", "/v3/documents/own-name")).toEqual([200, undefined]);
		expect(await code(reader, "POST", "/v3/documents", { content: "x" })).toEqual([403, "ROLE_MISSING"]);
		expect(await code(reader, "DELETE", "/v3/documents/own-name")).toEqual([403, "ROLE_MISSING"]);
	});
});
