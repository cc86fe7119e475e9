/** One organisation never reaches into another: every route with a foreign id, customId or container; canaries show any leak. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { notesConnector, startNotesService } from "../doubles/notes-service.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

/** A text nobody would write, and nothing of it may ever be seen by another organisation. */
const canary = "zanzibarquux";
const text = `Ottilie keeps the ${canary} in a blue box. Ottilie lives in Ulm.`;

let server: TestServer;
let owner: TestClient;
let stranger: TestClient;
let documentId: string;
let before: unknown;

const json = async (answer: Promise<Response> | Response) => (await (await answer).json()) as Record<string, unknown>;
const add = async (client: TestClient, body: unknown) => String((await json(client.send("POST", "/v3/documents", body)))["id"]);
const owned = () => json(owner.send("GET", `/v3/documents/${documentId}`));

beforeAll(async () => {
	server = await startTestServer();
	owner = await server.client();
	stranger = await server.client();
	documentId = await add(owner, {
		content: text,
		customId: "shared-name",
		containerTag: "vault",
		filepath: "/secret/a",
		metadata: { owner: canary },
		title: canary,
	});
	before = await owner.finished(documentId);
	await stranger.finished(await add(stranger, { content: "Paul grows tomatoes in Bonn.", customId: "other-name", containerTag: "garden" }));
});
afterAll(() => server.dispose());

describe("a foreign document", () => {
	const byName: readonly (readonly [method: string, path: (name: string) => string, body?: (name: string) => unknown])[] = [
		["GET", (name) => `/v3/documents/${name}`],
		["GET", (name) => `/v3/documents/${name}/chunks`],
		["GET", (name) => `/v3/documents/${name}/pages/1`],
		["GET", (name) => `/v3/memories/${name}`],
		["PATCH", (name) => `/v3/memories/${name}`, () => ({ content: "Taken over." })],
		["DELETE", (name) => `/v3/memories/${name}`],
		["PATCH", (name) => `/v3/documents/${name}`, () => ({ content: "Taken over.", metadata: { owner: "me" } })],
		["DELETE", (name) => `/v3/documents/${name}`],
		["GET", (name) => `/v3/search?q=${canary}&docId=${name}`],
		["POST", () => "/v3/search", (name) => ({ q: canary, docId: name })],
		["GET", (name) => `/v4/search?q=${canary}&docId=${name}`],
		["POST", () => "/v4/search", (name) => ({ q: canary, docId: name, threshold: 0 })],
	];
	for (const [method, path, body] of byName) {
		test(`${method} ${path("{id}")} is a 404 by id and by customId, and changes nothing`, async () => {
			for (const name of [documentId, "shared-name"]) {
				const answer = await stranger.send(method, path(name), body?.(name));
				const answered = await answer.text();
				expect([answer.status, answered.includes(canary)], answered).toEqual([404, false]);
				const unknown = await stranger.send(method, path("nobody-has-this"), body?.("nobody-has-this"));
				// But for the request's own id, what is foreign is told from what is nowhere by nothing.
				expect({ ...(JSON.parse(answered) as object), requestId: "" }).toEqual({ ...(await json(unknown)), requestId: "" } as never);
			}
			expect(await owned()).toEqual(before as never);
		});
	}

	test("is not deleted in bulk by id, customId, container or path", async () => {
		for (const body of [{ ids: [documentId, "shared-name"] }, { containerTags: ["vault"] }, { filepath: "/secret/" }]) {
			const answer = await json(stranger.send("DELETE", "/v3/documents/bulk", body));
			expect(answer).toMatchObject({ deletedCount: 0 });
		}
		expect(await owned()).toEqual(before as never);
	});
});

describe("a foreign memory", () => {
	let memoryId: string;
	beforeAll(async () => {
		const made = await json(owner.send("POST", "/v4/memories", { containerTag: "vault", memories: [{ content: `Ottilie hides a ${canary}.` }] }));
		memoryId = (made["memories"] as { readonly id: string }[])[0]?.id ?? "";
		before = await owned();
	});

	test("is neither changed nor forgotten nor listed, by id or by text", async () => {
		const attempts: readonly (readonly [method: string, path: string, body: object, status: number])[] = [
			["PATCH", "/v4/memories", { containerTag: "vault", id: memoryId, newContent: "Taken over." }, 404],
			["PATCH", "/v4/memories", { containerTag: "vault", content: `Ottilie hides a ${canary}.`, newContent: "Taken over." }, 404],
			["DELETE", "/v4/memories", { containerTag: "vault", id: memoryId }, 404],
			["DELETE", "/v4/memories", { containerTag: "garden", id: memoryId }, 404],
			["DELETE", "/v4/memories", { containerTag: "vault", content: `Ottilie hides a ${canary}.` }, 404],
			["POST", "/v4/memories/forget-matching", { containerTag: "vault", query: canary, threshold: 0 }, 200],
			["POST", "/v4/memories/forget-matching", { containerTag: "garden", ids: [memoryId] }, 200],
			["POST", "/v4/memories/forget-matching", { containerTag: "vault", ids: [memoryId], dryRun: true }, 200],
			["POST", "/v4/memories/restore", { containerTag: "vault", id: memoryId }, 404],
			["POST", "/v4/memories/restore", { containerTag: "vault", ids: [memoryId] }, 200],
			["POST", "/v4/profile", { containerTag: "vault", q: canary, threshold: 0 }, 200],
			["POST", "/v4/profile/buckets", { containerTag: "vault" }, 200],
			["GET", "/v3/container-tags/vault/inferred", {}, 200],
			["GET", "/v4/graph?containerTag=vault&documents=true", {}, 200],
			["GET", "/v4/graph?documents=true", {}, 200],
			["GET", "/v4/memories/review?containerTag=vault", {}, 200],
			["POST", "/v4/memories/confirm", { containerTag: "vault", id: memoryId }, 404],
			["POST", "/v4/sources/rollback", { ids: [documentId] }, 200],
			["POST", "/v4/sources/rollback", { customIdPrefix: "shared" }, 200],
			["POST", "/v4/sources/rollback", { filters: { OR: [] }, containerTag: "vault" }, 200],
			["POST", "/v4/search", { q: canary, threshold: 0, containerTag: "vault", asOf: new Date().toISOString() }, 200],
			["POST", `/v3/container-tags/vault/inferred/${memoryId}/review`, { action: "approve" }, 404],
			["POST", "/v4/memories/list", { containerTags: ["vault"] }, 200],
			["POST", "/v4/memories/list", { containerTags: ["garden", "vault"], filters: { OR: [] } }, 200],
		];
		for (const [method, path, body, status] of attempts) {
			const answer = await stranger.send(method, path, method === "GET" ? undefined : body);
			const answered = await answer.text();
			const shown = `${method} ${path} ${JSON.stringify(body)} → ${answered}`;
			expect([answer.status, answered.replaceAll(canary, "").length === answered.length], shown).toEqual([status, true]);
		}
		const mine = (await json(owner.send("POST", "/v4/memories/list", { containerTags: ["vault"], limit: 100 })))["memoryEntries"] as Record<string, unknown>[];
		expect(mine.find(({ id }) => id === memoryId)).toMatchObject({ memory: `Ottilie hides a ${canary}.`, isForgotten: false, isLatest: true, version: 1 });
	});
});

describe("a foreign webhook", () => {
	test("is neither read nor changed, rotated, tried or deleted, and is told from an unknown one by nothing", async () => {
		const { id } = await json(owner.send("POST", "/v3/webhooks", { url: `https://${canary}.example/`, types: ["memory.deleted"] }));
		const made = await json(owner.send("GET", `/v3/webhooks/${String(id)}`));
		const routes = [
			["GET", ""],
			["PATCH", "", { isEnabled: false }],
			["DELETE", ""],
			["POST", "/rotate"],
			["POST", "/test"],
			["GET", "/deliveries"],
		] as const;
		for (const [method, path, body] of routes) {
			const answer = await stranger.send(method, `/v3/webhooks/${String(id)}${path}`, body);
			expect(answer.status).toBe(404);
			const unknown = await json(stranger.send(method, `/v3/webhooks/nobody-has-this${path}`, body));
			expect({ ...(await json(answer)), requestId: "" }).toEqual({ ...unknown, requestId: "" } as never);
		}
		expect(await json(stranger.send("GET", "/v3/webhooks"))).toEqual({ webhooks: [] });
		expect(await json(owner.send("GET", `/v3/webhooks/${String(id)}`))).toEqual(made);
	});
});

describe("a foreign connection", () => {
	test("is neither read nor listed, imported or deleted, and is told from an unknown one by nothing", async () => {
		const notes = await startNotesService({ n1: { title: canary, text: `Ottilie counts the ${canary}.` } });
		const own = await startTestServer([`--fetch-allow=${notes.host}`], { plugins: [notesConnector({ provider: "granola" })] });
		try {
			const [mine, foreign] = [await own.client(), await own.client()];
			const metadata = { token: notes.token, host: notes.host };
			const { id } = await json(mine.send("POST", "/v3/connections/granola", { containerTag: "vault", metadata }));
			const listed = async () => (await json(mine.send("POST", "/v3/connections/granola/documents", {}))) as unknown as readonly { readonly id: string }[];
			const document = await until(async () => (await listed())[0]);
			const made = await mine.finished(document.id);
			const routes = [
				["GET", ""],
				["DELETE", ""],
				["DELETE", "?deleteDocuments=false"],
				["GET", "/resources"],
				["POST", "/configure", { resources: [] }],
				["GET", "/sync-runs"],
			] as const;
			for (const [method, path, body] of routes) {
				const answer = await foreign.send(method, `/v3/connections/${String(id)}${path}`, body);
				const unknown = await json(foreign.send(method, `/v3/connections/1111111111111111111111${path}`, body));
				expect([answer.status, { ...(await json(answer)), requestId: "" }]).toEqual([404, { ...unknown, requestId: "" }]);
			}
			for (const [method, path, body] of [
				["POST", "/connection", { containerTags: ["vault"] }],
				["DELETE", "", { containerTags: ["vault"] }],
			] as const)
				expect((await foreign.send(method, `/v3/connections/granola${path}`, body)).status).toBe(404);
			for (const [method, path, body] of [
				["POST", "/v3/connections/list", { containerTags: ["vault"] }],
				["GET", "/v3/connections"],
				["POST", "/v3/connections/granola/documents", { containerTags: ["vault"] }],
			] as const)
				expect(await json(foreign.send(method, path, body))).toEqual([] as never);
			const seen = async () => [await json(mine.send("GET", `/v3/connections/${String(id)}/sync-runs`)), (await json(mine.send("GET", "/ready")))["queue"]];
			const before = await seen();
			expect((await foreign.send("POST", "/v3/connections/granola/import", { containerTags: ["vault"] })).status).toBe(202);
			// Neither has it begun nor does it wait to be.
			expect(await seen()).toEqual(before);
			const name = encodeURIComponent(String(made["customId"]));
			expect((await foreign.send("GET", `/v3/documents/${name}`)).status).toBe(404);
			expect(await mine.finished(document.id)).toEqual(made);
		} finally {
			await own.dispose();
			notes.close();
		}
	});
});

test("what was removed or forgotten is brought back by its owner alone", async () => {
	const gone = await add(owner, { content: `The ${canary} is elsewhere now.`, containerTag: "attic" });
	await owner.finished(gone);
	const { removalId } = await json(owner.send("DELETE", "/v3/documents/bulk", { ids: [gone] }));
	const made = await json(owner.send("POST", "/v4/memories", { containerTag: "attic", memories: [{ content: `Ottilie lost a ${canary}.` }] }));
	const [{ id = "" } = {}] = made["memories"] as { readonly id: string }[];
	const { forgetBatchId } = await json(owner.send("DELETE", "/v4/memories", { containerTag: "attic", id }));
	const attempts: readonly (readonly [path: string, body: (name: unknown) => object])[] = [
		["/v3/documents/restore", (name) => ({ removalId: name ?? removalId })],
		["/v4/memories/restore", (name) => ({ containerTag: "attic", forgetBatchId: name ?? forgetBatchId })],
		["/v4/memories/restore", (name) => ({ containerTag: "attic", id: name ?? id })],
	];
	for (const [path, body] of attempts) {
		const answer = await stranger.send("POST", path, body(null));
		const { requestId, ...said } = await json(answer);
		const { requestId: other, ...unknown } = await json(stranger.send("POST", path, body("1111111111111111111111")));
		expect([answer.status, said, requestId === other]).toEqual([404, unknown, false]);
	}
	expect(await json(owner.send("POST", "/v3/documents/restore", { removalId }))).toMatchObject({ restoredCount: 1 });
	expect(await json(owner.send("POST", "/v4/memories/restore", { containerTag: "attic", forgetBatchId }))).toMatchObject({ count: 1 });
});

describe("a foreign container", () => {
	test("is as if it did not exist: not read, not deleted, not merged, not described", async () => {
		const attempts: readonly (readonly [method: string, path: (tag: string) => string, body?: (tag: string) => object])[] = [
			["GET", (tag) => `/v3/container-tags/${tag}`],
			["DELETE", (tag) => `/v3/container-tags/${tag}`],
			["POST", () => "/v3/container-tags/merge", (tag) => ({ containerTags: [tag, "garden"], targetContainerTag: "garden" })],
			["POST", () => "/v3/container-tags/merge", (tag) => ({ containerTags: ["garden", tag], targetContainerTag: tag })],
		];
		for (const [method, path, body] of attempts) {
			const answers = [await stranger.send(method, path("vault"), body?.("vault")), await stranger.send(method, path("nowhere"), body?.("nowhere"))];
			expect(answers.map(({ status }) => status)).toEqual([404, 404]);
			const [foreign, unknown] = await Promise.all(answers.map(json));
			expect({ ...foreign, requestId: "" }).toEqual({ ...unknown, requestId: "" } as never);
		}
		expect(await (await stranger.send("GET", "/v3/container-tags/list")).text()).not.toContain("vault");
		await stranger.send("PATCH", "/v3/container-tags/vault", { name: "Mine", entityContext: "mine" });
		expect(await json(owner.send("GET", "/v3/container-tags/vault"))).toMatchObject({ name: null, entityContext: null });
		expect(await json(stranger.send("DELETE", "/v3/container-tags/vault"))).toMatchObject({ deletedDocumentsCount: 0, deletedMemoriesCount: 0 });
		expect(await owned()).toEqual(before as never);
	});

	test("is merged for its owner only, who alone may ask how it goes", async () => {
		for (const tag of ["cellar", "attic"]) await owner.send("PATCH", `/v3/container-tags/${tag}`, {});
		const { mergeId } = await json(owner.send("POST", "/v3/container-tags/merge", { containerTags: ["cellar", "attic"], targetContainerTag: "attic" }));
		expect((await owner.send("GET", `/v3/container-tags/merge/${mergeId}`)).status).toBe(200);
		expect((await stranger.send("GET", `/v3/container-tags/merge/${mergeId}`)).status).toBe(404);
	});
});

describe("settings", () => {
	test("are one's own, and so is what a reset takes away", async () => {
		await owner.send("PATCH", "/v3/settings", { filterPrompt: canary, notionClientId: canary });
		const third = await server.client();
		expect(await (await third.send("GET", "/v3/settings")).text()).not.toContain(canary);
		expect(await (await third.send("POST", "/v3/settings/suggest-buckets", {})).text()).not.toContain(canary);
		expect(await json(third.send("POST", "/v3/settings/reset", { confirmation: "RESET" }))).toMatchObject({ deletedDocumentsApprox: 0, deletedMemoryRows: 0 });
		expect(await json(owner.send("GET", "/v3/settings"))).toMatchObject({ filterPrompt: canary });
		expect(await owned()).toEqual(before as never);
		await owner.send("PATCH", "/v3/settings", { filterPrompt: null, notionClientId: null });
	});
});

describe("what is foreign is not found", () => {
	const everything = { AND: [{ key: "owner", value: canary, negate: true }] };
	const wide: readonly unknown[] = [
		{},
		{ containerTag: "vault" },
		{ containerTags: ["vault", "garden"] },
		{ containerTags: [] },
		{ containerTags: null, containerTag: null },
		{ filepath: "/secret/" },
		{ filters: { OR: [{ key: "owner", value: canary }, ...everything.AND] } },
		{ filters: { OR: [] } },
		{ filters: JSON.stringify({ OR: [{ key: "organisation", value: "x", negate: true }] }) },
		{ filters: { owner: canary } },
	];
	for (const path of ["/v3/search", "/v4/search"]) {
		test(`${path} with any scope and filter`, async () => {
			for (const scope of wide) {
				for (const q of [canary, text, "*"]) {
					const body = {
						q,
						limit: 100,
						...(path === "/v4/search"
							? { threshold: 0, searchMode: "hybrid", include: { documents: true, chunks: true, forgottenMemories: true } }
							: { includeFullDocs: true }),
						...(scope as object),
					};
					const answer = await stranger.send("POST", path, body);
					const answered = await answer.text();
					expect([answer.status, answered.includes(canary)], `${JSON.stringify(scope)} ${answered.slice(0, 300)}`).toEqual([200, false]);
				}
			}
		});
	}

	test("nor explained, browsed, counted, or reached from a cursor", async () => {
		const { nextCursor } = await json(owner.send("POST", "/v3/documents/list", { limit: 1 }));
		const all = await json(owner.send("POST", "/v3/documents/list", { limit: 1100 }));
		const cursors = nextCursor === null ? [] : [{ cursor: nextCursor }];
		const forged = Buffer.from(JSON.stringify([1, "createdAt", "asc", 0, documentId, 1])).toString("base64url");
		expect((all["memories"] as unknown[]).length).toBeGreaterThan(0);
		const asked: readonly (readonly [path: string, body: object])[] = [
			["/v3/search", { q: canary, containerTag: "vault", explain: true }],
			["/v3/search", { q: canary, explain: true, filters: everything }],
			["/v4/search", { q: canary, containerTags: ["vault"], explain: true, threshold: 0, searchMode: "hybrid" }],
			["/v3/documents/documents", { containerTags: ["vault"], includeContent: true }],
			["/v3/documents/documents", { limit: 500, includeContent: true }],
			["/v3/documents/documents/by-ids", { ids: [documentId, "shared-name"] }],
			["/v3/documents/documents/by-ids", { ids: ["shared-name"], by: "customId", containerTags: ["vault"] }],
			["/v3/documents/documents/facets", { containerTags: ["vault"] }],
			["/v3/documents/documents/facets", {}],
			["/v3/documents/list", { cursor: forged, includeContent: true }],
			["/v4/memories/list", { containerTags: ["vault", "garden"], cursor: forged }],
			...cursors.map((cursor) => ["/v3/memories/list", { ...cursor, includeContent: true }] as const),
		];
		for (const [path, body] of asked) {
			const answer = await stranger.send("POST", path, body);
			// The stranger's own words come back; nothing else of the owner's may.
			const answered = (await answer.text())
				.replaceAll(`"phrasings":["${canary}"]`, "")
				.replaceAll(`"phrasing":"${canary}"`, "")
				.replaceAll(`"value":"${canary}"`, "");
			const leaks = [canary, documentId, "shared-name"].filter((secret) => answered.includes(secret));
			expect([answer.status, leaks], `${path} ${answered.slice(0, 300)}`).toEqual([200, []]);
		}
		const explained = await json(stranger.send("POST", "/v3/search", { q: canary, containerTag: "vault", explain: true }));
		expect(explained).toMatchObject({ explanation: { documents: { inScope: 0, removedByFilter: 0 }, why: "There is nothing in container vault." } });
		expect(await json(stranger.send("POST", "/v3/documents/documents/facets", {}))).toMatchObject({ total: 1, containerTags: { garden: 1 }, sources: {} });
	});

	test("duplicate members of a body and of a query do not widen it", async () => {
		const twice = await stranger.send("POST", "/v3/search", undefined, {
			body: `{"q":"${canary}","containerTag":"garden","containerTag":"vault","containerTags":["garden"],"containerTags":[]}`,
		});
		expect(await twice.text()).not.toContain(canary);
		const asked = await stranger.send("GET", `/v3/search?q=${canary}&containerTag=garden&containerTag=vault&containerTags[]=vault&organisation=vault`);
		expect(await asked.text()).not.toContain(canary);
	});

	test("lists, counts and what is processed are one's own", async () => {
		expect(await json(stranger.send("POST", "/v3/documents/list", { containerTags: ["vault"] }))).toMatchObject({
			memories: [],
			pagination: { totalItems: 0 },
		});
		expect(await json(stranger.send("POST", "/v3/documents/list", { limit: 1100, includeContent: true }))).toMatchObject({ pagination: { totalItems: 1 } });
		const slow = await add(owner, { content: `${canary} `.repeat(2_000), taskType: "superrag" });
		expect(JSON.stringify(await json(stranger.send("GET", "/v3/documents/processing")))).not.toContain(slow);
		await owner.finished(slow);
		await owner.send("DELETE", `/v3/documents/${slow}`);
	});
});

describe("the same thing in two organisations", () => {
	test("one customId is two documents, which change and go apart", async () => {
		const mine = await add(stranger, { content: "Mine alone.", customId: "shared-name" });
		expect(mine).not.toBe(documentId);
		await stranger.finished(mine);
		expect(await json(stranger.send("GET", "/v3/documents/shared-name"))).toMatchObject({ id: mine, content: "Mine alone." });
		expect((await stranger.send("DELETE", "/v3/documents/shared-name")).status).toBe(204);
		expect(await owned()).toEqual(before as never);
	});

	test("one text is found by each as its own, and only its own goes with it", async () => {
		const [first, second] = [await server.client(), await server.client()];
		const ask = async (client: TestClient) => (await json(client.send("POST", "/v3/search", { q: text })))["results"] as { readonly documentId: string }[];
		const id = await add(first, { content: text });
		await first.finished(id);
		const alone = await ask(first);
		const others = [await add(second, { content: text }), await add(second, { content: `${text} Again.` })];
		for (const other of others) await second.finished(other);
		expect((await ask(first)).map((found) => found.documentId)).toEqual(alone.map((found) => found.documentId));
		expect((await ask(second)).map((found) => found.documentId).toSorted()).toEqual(others.toSorted());
		await second.send("DELETE", `/v3/documents/${others[0]}`);
		expect((await ask(first)).map((found) => found.documentId)).toEqual([id]);
	});
});

describe("keys", () => {
	/** Every documented route that needs a key, and that of agents, which is described elsewhere. */
	async function routes(): Promise<readonly string[]> {
		const { paths } = (await json(owner.send("GET", "/openapi.json"))) as {
			readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>>;
		};
		const described = Object.entries(paths).flatMap(([path, item]) =>
			Object.entries(item).flatMap(([method, { security }]) => (security === undefined ? [`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "x")}`] : [])),
		);
		return [...described, "POST /mcp"];
	}
	const wrong = (key: string): readonly Record<string, string>[] => [
		{ authorization: "" },
		{ authorization: "Bearer" },
		{ authorization: "Bearer sm_nobody_has_this_key" },
		{ authorization: `Basic ${btoa(`x:${key}`)}` },
		{ authorization: key },
		{ authorization: `Bearer ${key} ${key}` },
		{ authorization: `Bearer ${key.slice(0, -1)}` },
		{ authorization: `Bearer ${key.toUpperCase()}` },
		{ authorization: "", "x-api-key": `${key}x` },
		{ authorization: `Bearer ${"k".repeat(5_000)}` },
		// The first of the two is what counts: a good one behind a wrong one opens nothing.
		{ authorization: "Bearer wrong", "x-api-key": key },
	];

	test("that are missing, malformed or unknown all get the same answer, on every route and before the body is read", async () => {
		const seen = new Set<string>();
		for (const route of await routes()) {
			const [method = "", path = ""] = route.split(" ");
			for (const headers of wrong(owner.key)) {
				const answer = await owner.send(method, path, undefined, { headers, ...(method === "GET" ? {} : { body: "{not json" }) });
				const { requestId, ...said } = await json(answer);
				expect(requestId).toBe(answer.headers.get("x-request-id") as never);
				const kept = [...answer.headers].filter(([name]) => name !== "x-request-id");
				seen.add(JSON.stringify([answer.status, said, kept]));
			}
		}
		expect([...seen]).toHaveLength(1);
		expect([...seen][0]).toContain('[401,{"error":"Unauthorized","details":"KEY_INVALID: Invalid or missing API key"');
	});

	test("work as a bearer in any case of the word, and as x-api-key", async () => {
		const good: readonly Record<string, string>[] = [
			{ authorization: `bearer ${owner.key}` },
			{ authorization: `BEARER   ${owner.key} ` },
			{ authorization: "", "x-api-key": owner.key },
		];
		for (const headers of good) expect((await owner.send("GET", "/v3/documents/processing", undefined, { headers })).status).toBe(200);
	});
});
