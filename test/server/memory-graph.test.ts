/** The graph of memories: JSON Graph Format, whole page by page, and nothing in it that a search would not show. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { jsonGraph } from "../doubles/json-graph-format.ts";
import { startTestServer, type TestClient, type TestServer } from "../doubles/test-server.ts";

interface Graph {
	readonly graph: {
		readonly metadata: { readonly total: number; readonly nextCursor: string | null };
		readonly nodes: Readonly<Record<string, { readonly label: string; readonly metadata: Readonly<Record<string, unknown>> }>>;
		readonly edges: readonly { readonly source: string; readonly target: string; readonly relation: string }[];
	};
}

const clock = { at: Date.parse("2026-03-01T00:00:00Z") };
let server: TestServer;
let client: TestClient;
beforeAll(async () => {
	server = await startTestServer([], {}, { world: { now: () => new Date(clock.at++) } });
	client = await server.client();
});
afterAll(() => server.dispose());

const json = async (answer: Promise<Response>) => (await (await answer).json()) as Readonly<Record<string, unknown>>;

async function add(content: string, containerTag: string, customId: string | null = null): Promise<string> {
	const { id } = await json(client.send("POST", "/v3/documents", { content, containerTag, dreaming: "instant", ...(customId === null ? {} : { customId }) }));
	await client.finished(String(id));
	return String(id);
}

/** Every answer is held to the format, and to having both ends of each edge. */
async function read(query: string, of = client): Promise<Graph["graph"]> {
	const answer = await of.send("GET", `/v4/graph?${query}`);
	const value = await answer.json();
	expect([answer.status, ...Value.Errors(jsonGraph, value)]).toEqual([200]);
	const { graph } = value as Graph;
	for (const { source, target } of graph.edges) expect([source in graph.nodes, target in graph.nodes]).toEqual([true, true]);
	return graph;
}
const labels = ({ nodes }: Graph["graph"], kind = "memory") =>
	Object.values(nodes)
		.filter(({ metadata }) => metadata["kind"] === kind)
		.map(({ label }) => label)
		.toSorted();
const links = ({ nodes, edges }: Graph["graph"]) =>
	edges.map(({ source, target, relation }) => `${nodes[source]?.label} ${relation} ${nodes[target]?.label}`).toSorted();

test("versions and sources are edges, older versions and documents nodes", async () => {
	await add("Ada lives in Lisbon.", "links", "note-1");
	await add("Ada moved to Porto.", "links", "note-2");
	const plain = await read("containerTag=links");
	const [newer, older] = ["Ada moved to Porto", "Ada lives in Lisbon"].map((words) => labels(plain).find((label) => label.startsWith(words)));
	expect(labels(plain).length).toBe(2);
	expect(links(plain)).toEqual([`${newer} updates ${older}`]);
	expect(labels(plain, "document")).toEqual([]);
	const sourced = await read("containerTag=links&documents=true");
	expect(labels(sourced, "document").length).toBe(2);
	expect(links(sourced).filter((link) => link.includes(" drawnFrom ")).length).toBe(2);
});

test("pages put together by their ids are the whole graph", async () => {
	const towns = ["Ulm", "Bonn", "Jena", "Kiel", "Trier", "Mainz", "Essen"];
	const people = ["Ben", "Emil", "Fred", "Gina", "Hugo", "Ida", "Jon"];
	for (const [i, who] of people.entries()) await add(`${who} lives in ${towns[i]}.`, "pages");
	for (const who of people.slice(0, 3)) await add(`${who} moved to Hamburg.`, "pages");
	const whole = await read("containerTag=pages&documents=true");
	const nodes = new Map<string, unknown>();
	const edges: string[] = [];
	let cursor: string | null = "";
	for (let pages = 0; cursor !== null && pages < 10; pages++) {
		const page: Graph["graph"] = await read(`containerTag=pages&documents=true&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
		for (const [id, node] of Object.entries(page.nodes)) nodes.set(id, node);
		edges.push(...page.edges.map((edge) => JSON.stringify(edge)));
		cursor = page.metadata.nextCursor;
	}
	expect(Object.fromEntries([...nodes].toSorted())).toEqual(Object.fromEntries(Object.entries(whole.nodes).toSorted()) as never);
	expect([...new Set(edges)].toSorted()).toEqual(whole.edges.map((edge) => JSON.stringify(edge)).toSorted());
	// An edge between memories comes with the page of the one it begins at, and with no other.
	const between = (all: readonly string[]) => all.filter((edge) => edge.includes('"updates"')).toSorted();
	expect(between(edges)).toEqual(between(whole.edges.map((edge) => JSON.stringify(edge))));
	expect(between(edges).length).toBeGreaterThan(1);
});

test("what was forgotten or has expired is in it no more, with its older versions", async () => {
	const tag = "hidden";
	await add("Cleo lives in Ulm.", tag);
	await add("Cleo moved to Bonn.", tag);
	const written = { content: "Cleo has a cold", forgetAfter: new Date(clock.at + 60_000).toISOString() };
	await client.send("POST", "/v4/memories", { containerTag: tag, memories: [written, { content: "Cleo likes tea" }] });
	expect(labels(await read(`containerTag=${tag}`)).length).toBe(4);
	clock.at += 60_001;
	expect(labels(await read(`containerTag=${tag}`))).not.toContain("Cleo has a cold");
	const { memoryEntries } = (await json(client.send("POST", "/v4/memories/list", { containerTags: [tag] }))) as {
		memoryEntries: { id: string; memory: string }[];
	};
	const moved = memoryEntries.find(({ memory }) => memory.startsWith("Cleo moved"));
	await client.send("DELETE", "/v4/memories", { containerTag: tag, id: moved?.id });
	expect(labels(await read(`containerTag=${tag}`))).toEqual(["Cleo likes tea"]);
});

test("a key sees its containers, an organisation its own", async () => {
	const made = await json(client.send("POST", "/v3/auth/agent-key", { name: "bound", permission: "read", containerTags: ["links"] }));
	const bound = server.clientWith(String(made["key"]));
	expect(labels(await read("documents=true", bound))).toEqual(labels(await read("containerTag=links")));
	expect((await bound.send("GET", "/v4/graph?containerTag=pages")).status).toBe(403);
	expect(await read("documents=true", await server.client())).toMatchObject({ nodes: {}, edges: [] });
});

test("a limit or a cursor that is none is refused", async () => {
	for (const query of ["limit=0", "limit=501", "limit=many", "cursor=none", "containerTag=a/b"])
		expect([query, (await client.send("GET", `/v4/graph?${query}`)).status]).toEqual([query, 400]);
});

test("as of an earlier time it is the graph of then: the old version was the latest, and what was forgotten since is there", async () => {
	const write = async (content: string) => {
		const { memories } = await json(client.send("POST", "/v4/memories", { containerTag: "then", memories: [{ content }] }));
		return (memories as readonly { readonly id: string }[])[0]?.id ?? "";
	};
	const nextHour = () => {
		clock.at += 3_600_000;
		return new Date(clock.at).toISOString();
	};
	const before = nextHour();
	nextHour();
	const home = await write("Mara lives in Ghent");
	const stamps = await write("Mara collects stamps");
	const first = nextHour();
	nextHour();
	await client.send("PATCH", "/v4/memories", { containerTag: "then", id: home, newContent: "Mara lives in Porto" });
	const second = nextHour();
	nextHour();
	await client.send("DELETE", "/v4/memories", { containerTag: "then", id: stamps });
	const third = nextHour();
	const at = async (asOf: string) => {
		const graph = await read(`containerTag=then&asOf=${encodeURIComponent(asOf)}`);
		const latest = Object.values(graph.nodes).filter(({ metadata }) => metadata["isLatest"] === true);
		return { latest: latest.map(({ label }) => label).toSorted(), all: labels(graph), links: links(graph), total: graph.metadata.total };
	};
	const [ghent, porto, collects] = ["Mara lives in Ghent", "Mara lives in Porto", "Mara collects stamps"];
	const moved = [`${porto} updates ${ghent}`];
	expect(await at(before)).toEqual({ latest: [], all: [], links: [], total: 0 });
	expect(await at(first)).toEqual({ latest: [collects, ghent], all: [collects, ghent], links: [], total: 2 });
	expect(await at(second)).toEqual({ latest: [collects, porto], all: [collects, ghent, porto], links: moved, total: 2 });
	expect(await at(third)).toEqual({ latest: [porto], all: [ghent, porto], links: moved, total: 1 });
	expect((await client.send("GET", "/v4/graph?containerTag=then&asOf=yesterday")).status).toBe(400);
});
