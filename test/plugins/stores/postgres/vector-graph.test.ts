/** When the graph of a collection of vectors is made and made anew: in this process, and on a server if `CAIRN_TEST_POSTGRES_URL` names one. */

import { afterAll, describe, expect, test } from "bun:test";
import type { VectorCollection, VectorEntry } from "cairn-memory";
import type { PostgresConnection, Query } from "../../../../plugins/stores/postgres/connection.ts";
import { pgvectorIndex } from "../../../../plugins/stores/postgres/indexes/vectors.ts";
import { migrate, vectorHistory } from "../../../../plugins/stores/postgres/migrations.ts";
import { sampleOrganisation } from "../../../contract/samples.ts";
import { until } from "../../../doubles/until.ts";
import { openPglite } from "./pglite.ts";
import { openTestServer } from "./server.ts";

const patienceMs = 300_000;
const options = { exactMax: 5, buildMegabytes: 64, log: () => undefined };
const everywhere = { containerTags: [], tagsMatch: "all", allowedIds: null } as const;

interface Opened {
	readonly connect: () => PostgresConnection;
	readonly drop: () => Promise<void>;
}

interface Graphs {
	readonly graph: string | null;
	readonly waiting: number;
	readonly isMaking: number;
}

async function graphsIn({ query }: PostgresConnection): Promise<Graphs> {
	const sql = `SELECT c.graph, (SELECT count(*) FROM vector_entries v WHERE v.organisation = c.organisation AND v.collection = c.number AND v.part > c.graph_part) AS waiting,
		EXISTS (SELECT 1 FROM index_feeders WHERE kind = 'graphs') AS "isMaking" FROM index_collections c WHERE c.organisation = $1`;
	const [graphs] = (await query(sql, [sampleOrganisation])).rows as readonly Graphs[];
	if (graphs === undefined) throw new Error("there is no collection");
	return graphs;
}

/** Waits until a graph is there and nothing waits to be in it. */
function settled(connection: PostgresConnection): Promise<Graphs> {
	return until(async () => {
		const graphs = await graphsIn(connection);
		return graphs.graph !== null && graphs.waiting === 0 && graphs.isMaking === 0 ? graphs : null;
	});
}

/** @param made the statements that make graphs, as they are sent */
function noting(connection: PostgresConnection, made: string[]): PostgresConnection {
	return {
		...connection,
		alone: (sql, settings) => {
			if (sql.startsWith("CREATE INDEX")) made.push(sql);
			return connection.alone(sql, settings);
		},
	};
}

const lost = () => Object.assign(new Error("the connection to the database was lost"), { code: "CONNECTION_CLOSED" });

async function allGraphs({ query }: PostgresConnection): Promise<readonly unknown[]> {
	return (await query("SELECT relname FROM pg_class WHERE relkind = 'i' AND starts_with(relname, 'vector_graph_')", [])).rows;
}

/** Around half a circle, each at an angle of its own. */
function entriesOf(name: string, count: number): readonly VectorEntry[] {
	return Array.from({ length: count }, (_, i) => {
		const angle = (Math.PI * (i + name.length / 10)) / count;
		return { id: `${name}${i}`, vector: Float32Array.of(Math.cos(angle), Math.sin(angle)), containerTags: [] };
	});
}

async function demandFound(collection: VectorCollection, entries: readonly VectorEntry[]): Promise<void> {
	for (const { id, vector } of entries) expect(await collection.nearest(vector, 1, everywhere)).toEqual([id]);
}

function checkAll(open: () => Promise<Opened>): void {
	async function ground(run: (connection: PostgresConnection, made: string[]) => Promise<void>): Promise<void> {
		const { connect, drop } = await open();
		const made: string[] = [];
		const connection = noting(connect(), made);
		await run(connection, made);
		await connection.close();
		await drop();
	}

	const makesAtEnd = () =>
		ground(async (connection, made) => {
			const collection = await pgvectorIndex(connection, options).open("fed", 2, sampleOrganisation);
			const entries = entriesOf("first", 40);
			for (let at = 0; at < 40; at += 10) await collection.apply({ put: entries.slice(at, at + 10), remove: [], position: `${at}`, moreFollow: true });
			await demandFound(collection, entries);
			expect([made.length, (await graphsIn(connection)).graph]).toEqual([0, null]);
			await collection.apply({ put: [], remove: [], position: "end" });
			await settled(connection);
			expect(made.length).toBe(1);
			await demandFound(collection, entries);
		});
	test("while much follows no graph is made, and at its end there is one with everything", makesAtEnd, patienceMs);

	/** As an earlier version has left it: the condition of its graph names no part. */
	const keepsEarlier = () =>
		ground(async (connection, made) => {
			const collection = await pgvectorIndex(connection, options).open("earlier", 2, sampleOrganisation);
			const [first, second] = [entriesOf("a", 10), entriesOf("later", 30)];
			await collection.apply({ put: first, remove: [], position: "1" });
			const { graph } = await settled(connection);
			const earlier = "vector_graph_1_0123abcd";
			await connection.alone(`DROP INDEX ${graph}`);
			await connection.alone(`CREATE INDEX ${earlier} ON vector_entries USING hnsw ((vector::halfvec(2)) halfvec_cosine_ops) WHERE collection = 1`);
			await connection.query("UPDATE index_collections SET graph = $1, graph_part = 0 WHERE organisation = $2", [earlier, sampleOrganisation]);
			await collection.position();
			const before = made.length;
			await collection.apply({ put: second, remove: [], position: "2", moreFollow: true });
			expect(await graphsIn(connection)).toMatchObject({ graph: earlier, waiting: 0 });
			await demandFound(collection, [...first, ...second]);
			await collection.apply({ put: [], remove: [], position: "end" });
			expect([(await graphsIn(connection)).graph, made.length]).toEqual([earlier, before]);
		});
	test("what follows is put into a graph of an earlier version at once, which covers all parts", keepsEarlier, patienceMs);

	const usesGraph = () =>
		ground(async (connection) => {
			const asked: string[] = [];
			const watched: PostgresConnection = {
				...connection,
				once: (sql) => {
					asked.push(sql);
					return connection.once(sql);
				},
			};
			const collection = await pgvectorIndex(watched, options).open("planned", 2, sampleOrganisation);
			await collection.apply({ put: entriesOf("a", 20), remove: [], position: "1" });
			const { graph } = await settled(connection);
			await collection.position();
			const planOf = async () => {
				asked.length = 0;
				await collection.nearest(Float32Array.of(1, 0), 3, everywhere);
				const sql = asked.find((each) => each.startsWith("WITH collection"));
				// So small a table is read whole otherwise, and sorted.
				const dear = ["enable_seqscan", "enable_bitmapscan", "enable_sort"];
				return connection.transaction("", async ({ query, script }) => {
					for (const name of dear) await script(`SET LOCAL ${name} = off`);
					return JSON.stringify((await query(`EXPLAIN ${sql}`, [])).rows);
				});
			};
			expect(await planOf()).toContain(`Index Scan using ${graph}`);
			await collection.apply({ put: entriesOf("b", 3), remove: [], position: "2", moreFollow: true });
			expect(await planOf()).toContain(`Index Scan using ${graph}`);
		});
	test("a search looks into the graph, also beside what waits", usesGraph, patienceMs);

	/** As the version before parts has left it, filled. */
	const upgrades = () =>
		ground(async (connection) => {
			const earlier = "vector_graph_1_0123abcd";
			await connection.script(`DROP INDEX vector_entries_by_part; ALTER TABLE vector_entries DROP COLUMN part;
				ALTER TABLE index_collections DROP COLUMN graph_part, DROP COLUMN waiting_part; DELETE FROM vector_migrations WHERE name = '0001_parts'`);
			await connection.query(
				`INSERT INTO index_collections (organisation, kind, name, number, dimensions, position, entries, replaced, graph)
					VALUES ($1, 'vectors', 'filled', 1, 2, '1', 20, 0, $2)`,
				[sampleOrganisation, earlier],
			);
			const entries = entriesOf("a", 20);
			for (const { id, vector } of entries)
				await connection.query("INSERT INTO vector_entries (organisation, collection, id, tags, vector) VALUES ($1, 1, $2, '{}', $3::text::halfvec)", [
					sampleOrganisation,
					id,
					`[${[...vector].join(",")}]`,
				]);
			await connection.alone(`CREATE INDEX ${earlier} ON vector_entries USING hnsw ((vector::halfvec(2)) halfvec_cosine_ops) WHERE collection = 1`);
			await migrate(connection, undefined, { history: vectorHistory });
			const collection = await pgvectorIndex(connection, options).open("filled", 2, sampleOrganisation);
			expect(await collection.position()).toBe("1");
			await demandFound(collection, entries);
			expect((await settled(connection)).graph).toBe(earlier);
		});
	test("a filled database of the version before is upgraded with its graph", upgrades, patienceMs);

	const makesAnew = () =>
		ground(async (connection, made) => {
			const collection = await pgvectorIndex(connection, options).open("fed", 2, sampleOrganisation);
			const [first, second] = [entriesOf("a", 10), entriesOf("later", 30)];
			await collection.apply({ put: first, remove: [], position: "1" });
			const before = await settled(connection);
			await collection.position();
			for (let at = 0; at < 30; at += 10) {
				await collection.apply({ put: second.slice(at, at + 10), remove: [], position: `later ${at}`, moreFollow: true });
				await demandFound(collection, [...first, ...second.slice(0, at + 10)]);
			}
			expect(await graphsIn(connection)).toMatchObject({ graph: before.graph, waiting: 30 });
			await collection.apply({ put: [], remove: [], position: "end" });
			const after = await settled(connection);
			expect(after.graph).not.toBe(before.graph);
			expect(made.length).toBe(2);
			await collection.position();
			await demandFound(collection, [...first, ...second]);
			const [last] = entriesOf("last of all", 1);
			await collection.apply({ put: last === undefined ? [] : [last], remove: [], position: "one more" });
			expect(await graphsIn(connection)).toMatchObject({ graph: after.graph, waiting: 0 });
		});
	test("where much comes together another graph is made at its end, and it is compared one by one until then", makesAnew, patienceMs);

	const putsIn = () =>
		ground(async (connection, made) => {
			const collection = await pgvectorIndex(connection, options).open("fed", 2, sampleOrganisation);
			const [first, second] = [entriesOf("a", 40), entriesOf("later", 15)];
			await collection.apply({ put: first, remove: [], position: "1" });
			const before = await settled(connection);
			await collection.apply({ put: second.slice(0, 10), remove: [], position: "2", moreFollow: true });
			expect(await graphsIn(connection)).toMatchObject({ waiting: 10 });
			await collection.apply({ put: second.slice(10), remove: [], position: "3" });
			expect(await settled(connection)).toEqual(before);
			expect(made.length).toBe(1);
			await collection.position();
			await demandFound(collection, [...first, ...second]);
		});
	test("where little comes together it is put into the graph that exists", putsIn, patienceMs);

	const looksByKey = () =>
		ground(async (connection) => {
			const plans: string[] = [];
			const explaining = (query: Query): Query => {
				return async (sql, params) => {
					const isLook = /^(WITH gone AS|SELECT c\.position)/.test(sql);
					if (isLook) plans.push(JSON.stringify((await query(`EXPLAIN ${sql}`, params)).rows));
					return query(sql, params);
				};
			};
			const watched: PostgresConnection = {
				...connection,
				query: explaining(connection.query),
				transaction: (mode, run) => connection.transaction(mode, (inside) => run({ ...inside, query: explaining(inside.query) })),
			};
			const collection = await pgvectorIndex(watched, options).open("fed", 2, sampleOrganisation);
			for (const page of ["a", "b"]) await collection.apply({ put: entriesOf(page, 200), remove: [], position: page, moreFollow: true });
			const [looks, facts] = [plans.filter((plan) => plan.includes("Delete on")), plans.filter((plan) => !plan.includes("Delete on"))];
			expect(looks.map((plan) => /vector_entries_(pkey|by_part)/.exec(plan)?.[0])).toEqual(["vector_entries_pkey", "vector_entries_pkey"]);
			expect(facts.map((plan) => /vector_entries_(pkey|by_part)/.exec(plan)?.[0])).toEqual(["vector_entries_by_part", "vector_entries_by_part"]);
		});
	test("vectors that are replaced are looked up by their keys, and whether some wait by their parts", looksByKey, patienceMs);

	const takesOver = () =>
		ground(async (connection, made) => {
			const isLeft = Promise.withResolvers<void>();
			const ending: PostgresConnection = {
				...connection,
				alone: async (sql, settings) => {
					await connection.alone(sql, settings);
					if (!sql.startsWith("CREATE INDEX")) return;
					isLeft.resolve();
					throw lost();
				},
			};
			const entries = entriesOf("a", 10);
			await (await pgvectorIndex(ending, options).open("fed", 2, sampleOrganisation)).apply({ put: entries, remove: [], position: "1" });
			await isLeft.promise;
			await until(async () => (await graphsIn(connection)).isMaking === 0);
			const index = pgvectorIndex(connection, options);
			const next = await index.open("fed", 2, sampleOrganisation);
			await next.position();
			// Another collection whose turn comes first takes it for that one.
			await (await index.open("other", 2, "another")).apply({ put: entriesOf("b", 10), remove: [], position: "1" });
			const { graph } = await settled(connection);
			expect([made.length, made[0]?.includes(`${graph} `)]).toEqual([2, true]);
			await next.position();
			await demandFound(next, entries);
		});
	test("a graph that a program has left to the database is taken over when it is complete", takesOver, patienceMs);

	const makesAlone = () =>
		ground(async (connection) => {
			const sent: unknown[] = [];
			const crowded: PostgresConnection = {
				...connection,
				alone: async (sql, settings) => {
					if (sql.startsWith("CREATE INDEX")) sent.push(settings?.["max_parallel_maintenance_workers"] ?? "as set");
					if (sql.startsWith("CREATE INDEX") && sent.length === 1) throw Object.assign(new Error("could not resize shared memory segment"), { code: "53100" });
					await connection.alone(sql, settings);
				},
			};
			await (await pgvectorIndex(crowded, options).open("fed", 2, sampleOrganisation)).apply({ put: entriesOf("a", 10), remove: [], position: "1" });
			await settled(connection);
			expect(sent).toEqual(["as set", "0"]);
		});
	test("where processes of the database find no memory to share, one makes the graph", makesAlone, patienceMs);

	const pauses = () =>
		ground(async (connection, made) => {
			const [paused, resumed] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
			const pause = (ms: number) => {
				paused.resolve(ms);
				return resumed.promise;
			};
			const full: PostgresConnection = {
				...connection,
				alone: async (sql, settings) => {
					await connection.alone(sql, settings);
					if (sql.startsWith("CREATE INDEX") && made.length <= 2) throw Object.assign(new Error("could not extend file"), { code: "53100" });
				},
			};
			const collection = await pgvectorIndex(full, { ...options, pause }).open("fed", 2, sampleOrganisation);
			const entries = entriesOf("a", 20);
			await collection.apply({ put: entries.slice(0, 10), remove: [], position: "1" });
			expect(await paused.promise).toBe(300_000);
			expect([await allGraphs(connection), (await graphsIn(connection)).isMaking]).toEqual([[], 0]);
			await collection.apply({ put: entries.slice(10), remove: [], position: "2" });
			await demandFound(collection, entries);
			expect(made.length).toBe(2);
			resumed.resolve();
			await settled(connection);
			expect(made.length).toBe(3);
		});
	test("a build that fails leaves nothing, and is tried again after a pause", pauses, patienceMs);

	const asksAgain = () =>
		ground(async (connection, made) => {
			const [asked, warnings]: [unknown[], string[]] = [[], []];
			const ended: PostgresConnection = {
				...connection,
				query: (sql, params) => {
					if (sql.includes("maintenance_work_mem")) asked.push(params[0]);
					return connection.query(sql, params);
				},
				alone: async (sql, settings) => {
					if (sql.startsWith("CREATE INDEX") && asked.length === 1) throw lost();
					await connection.alone(sql, settings);
				},
			};
			const watched = { ...options, pause: async () => undefined, log: (_level: string, message: string) => void warnings.push(message) };
			const collection = await pgvectorIndex(ended, watched).open("fed", 2, sampleOrganisation);
			await collection.apply({ put: entriesOf("a", 10), remove: [], position: "1" });
			const { graph } = await settled(connection);
			await collection.position();
			await collection.apply({ put: entriesOf("later", 30), remove: [], position: "2", moreFollow: true });
			await collection.apply({ put: [], remove: [], position: "end" });
			await until(async () => (await settled(connection)).graph !== graph);
			expect([asked, made.length]).toEqual([[1, 0, 1], 2]);
			expect(warnings.filter((message) => message.includes("asks for no memory"))).toHaveLength(1);
		});
	test("after a connection that was lost in a build the next one asks for no memory, and the one after it does again", asksAgain, patienceMs);

	const makesMeanwhile = () =>
		ground(async (connection, made) => {
			const collection = await pgvectorIndex(connection, { ...options, comparedMax: 20 }).open("fed", 2, sampleOrganisation);
			const [first, second] = [entriesOf("a", 10), entriesOf("later", 30)];
			await collection.apply({ put: first, remove: [], position: "1" });
			const before = await settled(connection);
			await collection.position();
			for (let at = 0; at < 30; at += 10) await collection.apply({ put: second.slice(at, at + 10), remove: [], position: `later ${at}`, moreFollow: true });
			await until(async () => (await graphsIn(connection)).graph !== before.graph);
			expect(made.length).toBe(2);
			await collection.position();
			await demandFound(collection, [...first, ...second]);
		});
	test("where very much waits another graph is made before the end of a feed", makesMeanwhile, patienceMs);

	const tidies = () =>
		ground(async (connection) => {
			await connection.alone(
				"CREATE INDEX vector_graph_77_1_left ON vector_entries USING hnsw ((vector::halfvec(2)) halfvec_cosine_ops) WHERE collection = 77",
			);
			const collection = await pgvectorIndex(connection, options).open("fed", 2, sampleOrganisation);
			await collection.apply({ put: entriesOf("a", 3), remove: [], position: "1" });
			await until(async () => (await allGraphs(connection)).length === 0);
		});
	test("a graph that a killed program has left is removed by the next one that feeds, though it makes none", tidies, patienceMs);
}

describe("in this process", () => {
	let database: ReturnType<typeof openPglite> | null = null;
	afterAll(async () => (await database)?.close());
	checkAll(async () => {
		database ??= openPglite();
		const connection = await (await database).empty();
		return { connect: () => connection, drop: async () => undefined };
	});
});

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe.skipIf(url === undefined)("on a server", () => {
	let server: ReturnType<typeof openTestServer> | null = null;
	afterAll(async () => (await server)?.close());
	const create = async () => {
		server ??= openTestServer(url ?? "");
		return (await server).create();
	};
	checkAll(create);

	test("a statement that runs alone has its settings, and whoever uses the connection after it has not", async () => {
		const { connect, drop } = await create();
		const connection = connect();
		const memory = async () => (await connection.query("SELECT current_setting('maintenance_work_mem') AS memory", [])).rows;
		const before = await memory();
		await connection.alone("CREATE TABLE noted AS SELECT current_setting('maintenance_work_mem') AS memory", { maintenance_work_mem: "77MB" });
		expect((await connection.query("SELECT memory FROM noted", [])).rows).toEqual([{ memory: "77MB" }]);
		expect(await memory()).toEqual(before);
		await connection.close();
		await drop();
	});
});
