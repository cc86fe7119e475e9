/** Something is committed while a search makes a list of its scope: the searches after it find it, also when nothing else is ever written. */

import { describe, expect, test } from "bun:test";
import { wholeOrganisation } from "../../../../core/stores.ts";
import { memoryScope } from "../../../../plugins/stores/sql/scopes/scope-sql.ts";
import type { SearchScope } from "../../../../plugins/stores/sqlite/vectors/scope-lists.ts";
import { VectorPartition } from "../../../../plugins/stores/sqlite/vectors/vector-partition.ts";
import { createContext } from "../../../../plugins/stores/sqlite/vectors/vectors-context.ts";
import { addMemories, clusteredVectors, createFixture, organisation, space } from "./vector-fixture.ts";

const within = { scope: { ...wholeOrganisation, containerTags: ["searched"] }, includeForgotten: false, now: new Date(0) };
const rows = memoryScope(organisation, within);
const scopes: Readonly<Record<string, SearchScope>> = {
	"a container, whose list is updated": { rows, isRestricted: true, name: "searched", now: 0, containers: new Set(["searched"]) },
	"a scope with a filter, whose list is read again": { rows, isRestricted: true, name: "filtered", now: 0, containers: null },
};
const [query = new Float32Array(), late = new Float32Array(), ...vectors] = clusteredVectors(30, 3);
const limit = 100;
/** The looks at the state of the database that the first two searches take. */
const looksMax = 4;

test.each(Object.entries(scopes))("what is written while the positions of a list are looked up is found by the next search: %s", async (_name, searchScope) => {
	const fixture = createFixture();
	const context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: false, limits: { wholeMax: 0 } });
	let isListed = false;
	const list: typeof context.lister.list = async (...args) => {
		const keys = await context.lister.list(...args);
		if (!isListed) {
			addMemories(fixture.db, [{ id: "late", vector: late, container: "searched" }]);
			fixture.db.run("UPDATE memories SET is_forgotten = id = 'known-1' WHERE id IN ('known-0', 'known-1')");
		}
		isListed = true;
		return keys;
	};
	const partition = new VectorPartition(
		{ kind: "memory", organisation, space },
		{ ...context, lister: Object.assign(Object.create(context.lister), { list }) },
	);
	addMemories(
		fixture.db,
		vectors.map((vector, i) => ({ id: `known-${i}`, vector, container: "searched", isForgotten: i === 0 })),
	);
	const search = async () => (await partition.nearestOfEach({ queries: [query, query], searchScope, limit }))[0]?.map(({ id }) => id) ?? [];
	await search();
	const found = await search();
	expect(isListed).toBe(true);
	expect(["late", "known-0", "known-1"].map((id) => found.includes(id))).toEqual([true, true, false]);
	context.close();
	await fixture.close();
});

describe.each(Object.entries(scopes))("%s", (_name, searchScope) => {
	test.each(["nearest", "nearestOfEach"] as const)("%s", async (kind) => {
		for (let look = 1; look <= looksMax; look++) {
			const fixture = createFixture();
			let looks = Number.POSITIVE_INFINITY;
			// A list is kept from the first row on.
			const context = createContext({ file: fixture.file, folder: fixture.folder, log: () => undefined, canBuild: false, limits: { wholeMax: 0 } });
			const watched = {
				...context,
				epoch: () => {
					if (--looks === 0) addMemories(fixture.db, [{ id: "late", vector: late, container: "searched" }]);
					return context.epoch();
				},
			};
			const partition = new VectorPartition({ kind: "memory", organisation, space }, watched);
			const search = async () =>
				kind === "nearest"
					? partition.nearest({ query, searchScope, limit })
					: ((await partition.nearestOfEach({ queries: [query, query], searchScope, limit }))[0] ?? []);
			addMemories(
				fixture.db,
				vectors.map((vector, i) => ({ id: `known-${i}`, vector, container: "searched" })),
			);
			await search();
			addMemories(fixture.db, [{ id: "between", vector: late, container: "searched" }]);
			looks = look;
			await search();
			// Where a search looks less often, the next one does.
			const found = [await search(), await search(), await search()].map((candidates) => candidates.map(({ id }) => id));
			expect([look, found.at(-1)?.includes("late")]).toEqual([look, true]);
			await partition.settle();
			context.close();
			await fixture.close();
		}
	});
});
