/**
 * A key asks for what is in another container, and for what is nowhere: the database is asked the same for both, answers the same, and looks
 * at no row of others for it. So the time of an answer does not tell which of the two it was.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { AsyncLocalStorage } from "node:async_hooks";
import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { type Connection, connection } from "../../plugins/stores/sql/bun-connection.ts";
import { migrate, migrations } from "../../plugins/stores/sql/migrations.ts";
import { sqlStorage } from "../../plugins/stores/sql/storage.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

interface Step {
	readonly sql: string;
	readonly params: readonly unknown[];
	readonly answer: unknown;
}

let connected: Connection;
/** Where a request runs. What the worker asks meanwhile is not counted. */
const asking = new AsyncLocalStorage<Step[]>();
let server: TestServer;
let scoped: TestClient;
let document: string;
let memory: string;

beforeAll(async () => {
	connected = connection(new Database(":memory:"));
	migrate(connected, migrations);
	const watched = definePlugin({
		name: "watched",
		contract: 1,
		options: z.strictObject({}),
		start: (_options, { world }) => {
			const supports = { manyWriters: false, durable: false };
			return { storage: [sqlStorage({ name: "watched", supports, connection: { ...connected, statement: watchedStatement }, now: world.now })] };
		},
	});
	const config = { plugins: [watched({})], use: { storage: "watched" } };
	server = await startTestServer(["--use-embedder=hashing"], config);
	const client = await server.client();
	const made = async (path: string, body: object) => (await (await client.send("POST", path, body)).json()) as unknown;
	({ id: document } = (await made("/v3/documents", {
		content: "Ottilie keeps the lamp.",
		customId: "theirs-1",
		containerTag: "theirs",
		metadata: { i: 1 },
	})) as { id: string });
	await made("/v3/documents", { content: "A lamp of mine.", customId: "mine-1", containerTag: "mine" });
	expect(await client.finished(document)).toMatchObject({ status: "done" });
	const { memories } = (await made("/v4/memories", { containerTag: "theirs", memories: [{ content: "Paul has the key." }] })) as {
		memories: readonly { readonly id: string }[];
	};
	memory = memories[0]?.id ?? "";
	const { key } = (await made("/v3/auth/scoped-key", { containerTag: "mine" })) as { key: string };
	scoped = server.clientWith(key);
}, 60_000);
afterAll(() => server.dispose());

function watchedStatement<Row>(sql: string) {
	const statement = connected.statement<Row>(sql);
	const watch =
		<Answer>(run: (...params: never[]) => Answer) =>
		(...params: never[]) => {
			const answer = run.apply(statement, params);
			asking.getStore()?.push({ sql, params, answer });
			return answer;
		};
	return { all: watch(statement.all), get: watch(statement.get), run: watch(statement.run) } as unknown as ReturnType<typeof connected.statement<Row>>;
}

type Question = readonly [name: string, there: () => string, method: string, path: (id: string) => string, body?: (id: string) => object];
const byId = (id: string) => `/v3/documents/${id}`;
const questions: readonly Question[] = [
	["a document by its id", () => document, "GET", byId],
	["a document by its customId", () => "theirs-1", "GET", byId],
	["its chunks", () => document, "GET", (id) => `${byId(id)}/chunks`],
	["to change a document", () => document, "PATCH", byId, () => ({ metadata: { i: 2 } })],
	["to delete a document", () => document, "DELETE", byId],
	["to delete several documents", () => document, "DELETE", () => "/v3/documents/bulk", (id) => ({ ids: [id] })],
	["a search within a document", () => document, "POST", () => "/v3/search", (docId) => ({ q: "lamp", docId, containerTags: ["mine"] })],
	["to change a memory", () => memory, "PATCH", () => "/v4/memories", (id) => ({ containerTag: "mine", id, newContent: "Paul has none." })],
	["to forget a memory", () => memory, "DELETE", () => "/v4/memories", (id) => ({ containerTag: "mine", id })],
];

/** A name of the same kind that nobody has: the last letter is another one. */
const alike = (id: string) => `${id.slice(0, -1)}${id.endsWith("x") ? "y" : "x"}`;

async function stepsOf([, , method, path, body]: Question, id: string) {
	const steps: Step[] = [];
	const response = await asking.run(steps, () => scoped.send(method, path(id), body?.(id)));
	const text = (await response.text()).replace(/"requestId":"[\w-]+"/, "").replaceAll(id, "ID");
	// Times and new ids differ between any two requests.
	const shown = (value: unknown) =>
		JSON.stringify(value)
			.replaceAll(id, "ID")
			.replaceAll(/\d{13}(\.\d+)?/g, "TIME");
	return { steps, comparable: [`${response.status} ${text}`, ...steps.map((step) => shown(step))] };
}

test.each(questions.map((question) => [question[0], question] as const))("%s", async (_name, question) => {
	const there = question[1]();
	for (const id of [there, alike(there)]) await stepsOf(question, id);
	const foreign = await stepsOf(question, there);
	const nowhere = await stepsOf(question, alike(there));
	expect(foreign.comparable).toEqual(nowhere.comparable);
	const asked = foreign.steps.filter(({ params }) => JSON.stringify(params).includes(there));
	expect(asked.length).toBeGreaterThan(0);
	expect(asked.flatMap(({ sql }) => stepsInPlan(sql)).filter((look) => !isWithinContainers(look))).toEqual([]);
});

/** Where SQLite looks for rows. */
function stepsInPlan(sql: string): readonly string[] {
	const plan = connected.db.query<{ readonly detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
	return plan.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN) /.test(detail) && !detail.includes("VIRTUAL TABLE"));
}

/** By the container too, so that there is no row of others. The last two are of documents that a look within the containers has found. */
function isWithinContainers(look: string): boolean {
	const found = [
		"SEARCH d USING INDEX documents_by_custom_id (organisation=? AND custom_id=? AND id=?)",
		"SEARCH x USING INDEX sqlite_autoindex_document_texts_1",
	];
	return /\((organisation=\? AND )(custom_id=\? AND )?(container_)?tag=\?/.test(look) || found.some((each) => look.startsWith(each));
}
