/** How SQLite goes about what is asked often: along an index to the few rows that are meant, however many there are beside them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asId, type MemoryId, type OrganisationId } from "cairn-memory";
import { type DocumentStore, documentStatuses, type Filter, type MemoryStore, type ProfileStore, type Scope, wholeOrganisation } from "cairn-memory/stores";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { documentStore } from "../../../../plugins/stores/sql/documents/documents.ts";
import { readsOf, type SqlEngine } from "../../../../plugins/stores/sql/executor.ts";
import { memoryStore } from "../../../../plugins/stores/sql/memories/memories.ts";
import { profileStore } from "../../../../plugins/stores/sql/memories/profiles.ts";
import { explainedConnection } from "./explained.ts";

const organisation = asId<OrganisationId>("org");
let connection: Connection;
let steps: string[];
let memories: MemoryStore;
let documents: DocumentStore;
let profiles: ProfileStore;

beforeAll(() => {
	({ connection, steps } = explainedConnection());
	const { statement } = connection;
	const engine: SqlEngine = { ...readsOf({ statement, snapshot: (read) => read() }), write: {} as never, aside: {} as never };
	memories = memoryStore(organisation, engine);
	documents = documentStore(organisation, engine);
	profiles = profileStore(organisation, engine);
});
afterAll(() => connection.close());

async function stepsOf(ask: () => Promise<unknown>): Promise<readonly string[]> {
	steps.length = 0;
	await ask();
	expect(steps.length).toBeGreaterThan(1);
	return [...steps];
}

/** Looks at every row that the organisation has in a table. */
const isWhole = (step: string) => /^(SEARCH|SCAN) [demx] .*\(organisation=\?\)$/.test(step) || /^SCAN [demx] USING/.test(step);
const ids = [asId<MemoryId>("m1"), asId<MemoryId>("m2")];

test.each([
	["all edges", () => memories.edges(ids)],
	["the newest edges", () => memories.newestEdges(ids, 5, null)],
] as const)("%s of some memories are found from either end", async (_name, ask) => {
	const looks = (await stepsOf(ask)).filter((step) => /^(SEARCH|SCAN) (e|memory_edges) /.test(step));
	expect(looks.filter((step) => !/\(organisation=\? AND (source|target)=\?/.test(step))).toEqual([]);
	expect(looks.length).toBe(2);
});

const base = { key: "category", negate: false, ignoreCase: false } as const;
const filters: readonly Filter[] = [
	{ ...base, kind: "equals", value: "x" },
	{ ...base, kind: "contains-text", value: "x", ignoreCase: true },
	{ ...base, kind: "numeric", value: 5, operator: ">" },
	{
		kind: "and",
		parts: [
			{ ...base, kind: "equals", value: "x" },
			{ ...base, kind: "equals", key: "other", value: "y", negate: true },
		],
	},
];
const scopes: readonly Partial<Scope>[] = [...filters.map((filter) => ({ filter })), { containerTags: ["rare"] }, { filepath: "/rare/" }];
const page = { offset: 0, limit: 10, sort: "createdAt", order: "desc" } as const;

test.each(scopes)("a list of few begins with what fulfils %j", async (narrow) => {
	const scope = { ...wholeOrganisation, ...narrow };
	expect((await stepsOf(() => memories.list(scope, true, page))).filter(isWhole)).toEqual([]);
	expect((await stepsOf(() => documents.list(scope, documentStatuses, page, false))).filter(isWhole)).toEqual([]);
	expect((await stepsOf(() => memories.count({ scope, includeForgotten: false, now: new Date() }))).filter(isWhole)).toEqual([]);
});

test("of what waits to be sorted only what is chosen is read with its sources", async () => {
	const looks = await stepsOf(() => profiles.unsorted("home", ["a", "b"], 3));
	const chosen = looks.findIndex((step) => step.startsWith("LIST SUBQUERY"));
	expect(looks.slice(chosen).some((step) => /^SEARCH m USING INTEGER PRIMARY KEY/.test(step))).toBe(true);
	expect(looks.slice(0, chosen)).toEqual([expect.stringMatching(/^SEARCH m USING INTEGER PRIMARY KEY/)]);
});
