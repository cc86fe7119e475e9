/** The indexes in PostgreSQL keep the contracts of indexes: in this process, and on a server if `CAIRN_TEST_POSTGRES_URL` names one. */

import { afterAll, describe, expect, test } from "bun:test";
import type { VectorCollection, VectorIndex } from "cairn-memory";
import { wordEntry } from "cairn-memory/stores";
import type { PostgresConnection } from "../../../../plugins/stores/postgres/connection.ts";
import { pgvectorIndex } from "../../../../plugins/stores/postgres/indexes/vectors.ts";
import { postgresWordIndex } from "../../../../plugins/stores/postgres/indexes/words.ts";
import { sampleOrganisation } from "../../../contract/samples.ts";
import { vectorIndexContract } from "../../../contract/vector-index-contract.ts";
import { wordIndexContract } from "../../../contract/word-index-contract.ts";
import { until } from "../../../doubles/until.ts";
import { namingNone, noting } from "./organisation-first.ts";
import { openPglite } from "./pglite.ts";
import { openTestServer } from "./server.ts";

const patienceMs = 300_000;
const log = () => undefined;
const everywhere = { containerTags: [], tagsMatch: "all", allowedIds: null } as const;

interface Opened {
	readonly connect: () => PostgresConnection;
	readonly drop: () => Promise<void>;
}

const waitingSql = "SELECT 1 FROM index_collections WHERE organisation = $1 AND entries > 0 AND graph IS NULL";

/** An index that is not done before the graph is. */
function withGraph(connection: PostgresConnection): VectorIndex {
	const index = pgvectorIndex(connection, { exactMax: 0, buildMegabytes: 64, log });
	return {
		...index,
		open: async (...asked) => {
			const collection = await index.open(...asked);
			return {
				...collection,
				apply: async (changes) => {
					await collection.apply(changes);
					await until(async () => (await connection.query(waitingSql, [sampleOrganisation])).rows.length === 0);
					await collection.position();
				},
			};
		},
	};
}

function checkAll(open: () => Promise<Opened>): void {
	const indexes = async <Index>(indexOf: (connection: PostgresConnection) => Index) => {
		const { connect, drop } = await open();
		const connections: PostgresConnection[] = [];
		const reopen = async () => {
			const connection = connect();
			connections.push(connection);
			return indexOf(connection);
		};
		const dispose = async () => {
			for (const connection of connections) await connection.close();
			await drop();
		};
		return { index: await reopen(), reopen, dispose };
	};
	// One that compares one by one, and one that makes a graph as soon as there is anything.
	const graphless = vectorIndexContract(() => indexes((connection) => pgvectorIndex(connection, { exactMax: 100_000, buildMegabytes: 64, log })));
	for (const { name, check } of graphless) test(`${name}, one by one`, check, patienceMs);
	const graphed = vectorIndexContract(() => indexes(withGraph));
	for (const { name, check } of graphed) test(`${name}, with a graph`, check, patienceMs);
	for (const { name, check } of wordIndexContract(() => indexes(postgresWordIndex))) test(name, check, patienceMs);

	test("one program feeds an index that several share, and the others see what it does", async () => {
		const { index: first, reopen, dispose } = await indexes((connection) => pgvectorIndex(connection, { exactMax: 100_000, buildMegabytes: 64, log }));
		const second = await reopen();
		expect([await first.claim?.(), await second.claim?.(), await first.claim?.()]).toEqual([true, false, true]);
		const [fed, read] = [await first.open("shared", 2, "one"), await second.open("shared", 2, "one")];
		const put = [{ id: "here", vector: Float32Array.of(1, 0), containerTags: [] }];
		await fed.apply({ put, remove: [], position: "1" });
		expect(await nearestTo(read)).toEqual(["here"]);
		// It does not know that the other one has moved the position, and would put what is outdated.
		expect(await failureOf(read.apply({ put: [], remove: ["here"], position: "0" }))).toContain("fed by another program");
		expect(await read.position()).toBe("1");
		await first.drop("shared");
		expect(await failureOf(nearestTo(read))).toContain("was dropped");
		expect(await failureOf(read.position())).toContain("was dropped");
		expect(await second.open("shared", 2, "one")).not.toBe(read);
		await dispose();
	});

	test("one that was paused until another program feeds an index drops nothing of that one's", async () => {
		const { connect, drop } = await open();
		const connection = connect();
		const [paused, next] = [
			pgvectorIndex(connection, { exactMax: 100_000, buildMegabytes: 64, log }),
			pgvectorIndex(connection, { exactMax: 100_000, buildMegabytes: 64, log }),
		];
		expect(await paused.claim?.()).toBe(true);
		await connection.query(lapsedSql, ["vectors"]);
		expect(await next.claim?.()).toBe(true);
		const fed = await next.open("shared", 2, "one");
		await fed.apply({ put: [{ id: "here", vector: Float32Array.of(1, 0), containerTags: [] }], remove: [], position: "1" });
		expect(await failureOf(paused.drop("shared"))).toContain("fed by another program");
		// That other one has ended, and nobody has taken its place.
		await connection.query(lapsedSql, ["vectors"]);
		expect(await failureOf(paused.drop("shared"))).toContain("fed by another program");
		expect(await nearestTo(fed)).toEqual(["here"]);
		await connection.close();
		await drop();
	});

	test("one that was paused until another program has made a graph leaves that one's in place", async () => {
		const { connect, drop } = await open();
		const connection = connect();
		const [isMade, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		const pausing: PostgresConnection = {
			...connection,
			alone: async (sql) => {
				await connection.alone(sql);
				if (!sql.startsWith("CREATE INDEX")) return;
				isMade.resolve();
				await resumed.promise;
			},
		};
		const ended = Promise.withResolvers<void>();
		const noted = () => ended.resolve();
		const put = [{ id: "here", vector: Float32Array.of(1, 0), containerTags: [] }];
		await (await pgvectorIndex(ending(pausing, noted), { exactMax: 0, buildMegabytes: 64, log }).open("shared", 2, sampleOrganisation)).apply({
			put,
			remove: [],
			position: "1",
		});
		await isMade.promise;
		await connection.query(lapsedSql, ["graphs"]);
		const next = await pgvectorIndex(connection, { exactMax: 0, buildMegabytes: 64, log }).open("shared", 2, sampleOrganisation);
		await next.position();
		await next.apply({ put: [], remove: [], position: "2" });
		await until(async () => (await connection.query(waitingSql, [sampleOrganisation])).rows.length === 0);
		await until(async () => (await connection.query("SELECT feeder FROM index_feeders WHERE kind = 'graphs'", [])).rows.length === 0);
		resumed.resolve();
		await ended.promise;
		const { rows } = await connection.query(graphsSql, [sampleOrganisation]);
		expect(rows).toEqual([{ made: 1, used: 1 }]);
		await connection.close();
		await drop();
	});

	const fails = async () => {
		const { index: first, reopen, dispose } = await indexes(postgresWordIndex);
		const second = await reopen();
		const [fed, read] = [await first.open("shared", 0, sampleOrganisation), await second.open("shared", 0, sampleOrganisation)];
		await fed.apply({ put: [wordEntry("here", "ferry", [])], remove: [], position: "1" });
		const term = [...wordEntry("x", "ferry", []).terms.keys()][0] ?? "";
		const groups = [{ terms: [term], weight: 1 }];
		expect(await read.match(groups, 5, everywhere)).toEqual(["here"]);
		await first.drop("shared");
		expect(await failureOf(read.match(groups, 5, everywhere))).toContain("was dropped");
		await dispose();
	};
	test("a search in a collection of words that another program has dropped fails, though its terms are remembered", fails, patienceMs);

	const gathers = async () => {
		const { connect, drop } = await open();
		const connection = connect();
		const collection = await postgresWordIndex(connection).open("gathered", 0, sampleOrganisation);
		await collection.apply({ put: [wordEntry("here", "ferry", [])], remove: [], position: "1" });
		// What was moved already leaves nothing to move.
		expect((await connection.query("SELECT gin_clean_pending_list('word_entries_by_term') AS pages", [])).rows).toEqual([{ pages: 0 }]);
		await connection.close();
		await drop();
	};
	test("a page that was put leaves no list that searches would read from its beginning to its end", gathers, patienceMs);

	test("counts that were asked before a text was put are not taken for those after it", async () => {
		const { connect, drop } = await open();
		const connection = connect();
		let held: Promise<void> | null = null;
		const query: PostgresConnection["query"] = async (sql, params) => {
			const answer = await connection.query(sql, params);
			if (sql.includes("json_object_agg")) await held;
			return answer;
		};
		const collection = await postgresWordIndex({ ...connection, query }).open("counts", 0, sampleOrganisation);
		await collection.apply({ put: [wordEntry("a", "ferry", [])], remove: [], position: "1" });
		const release = Promise.withResolvers<void>();
		held = release.promise;
		const before = collection.count([["lamp"], ["ferri", "ferry"]]);
		await collection.apply({ put: [wordEntry("b", "lamp ferry", [])], remove: [], position: "2" });
		held = null;
		release.resolve();
		await before;
		expect(await collection.match([{ terms: ["lamp"], weight: 1 }], 5, everywhere)).toEqual(["b"]);
		expect((await collection.count([["lamp"]])).holders).toEqual([1]);
		await connection.close();
		await drop();
	});

	test("totals that come late do not replace newer ones", async () => {
		const { connect, drop } = await open();
		const connection = connect();
		let held: Promise<void> | null = null;
		const query: PostgresConnection["query"] = async (sql, params) => {
			const answer = await connection.query(sql, params);
			if (sql.includes("json_object_agg")) await held;
			return answer;
		};
		const collection = await postgresWordIndex({ ...connection, query }).open("late", 0, sampleOrganisation);
		const release = Promise.withResolvers<void>();
		held = release.promise;
		const late = collection.count([["lamp"]]);
		held = null;
		await collection.apply({ put: [wordEntry("a", "lamp", [])], remove: [], position: "1" });
		const newer = await collection.count([["lamp"]]);
		release.resolve();
		await late;
		expect(newer.texts).toBe(1);
		expect(await collection.count([["lamp"]])).toEqual(newer);
		await connection.close();
		await drop();
	});

	test("of a text that is found without its counts the id alone is sent", async () => {
		const { connect, drop } = await open();
		const connection = connect();
		const sent: unknown[] = [];
		const once: PostgresConnection["once"] = async (sql) => {
			const answer = await connection.once(sql);
			sent.push(...answer.rows);
			return answer;
		};
		const collection = await postgresWordIndex({ ...connection, once }).open("sent", 0, sampleOrganisation);
		await collection.apply({ put: [wordEntry("a", "lamp ferry", [])], remove: [], position: "1" });
		const groups = [{ terms: ["lamp"], weight: 1 }];
		await collection.match(groups, 5, everywhere);
		expect(sent).toEqual([{ id: "a" }]);
		await connection.close();
		await drop();
	});

	test(
		"finds what is behind more removed vectors than a search in a graph follows at once",
		async () => {
			const { index, dispose } = await indexes(withGraph);
			const collection = await index.open("crowded", 2, sampleOrganisation);
			const around = (name: string, count: number, from: number, step: number) =>
				Array.from({ length: count }, (_, i) => {
					const angle = from + i * step;
					return { id: `${name}${i}`, vector: Float32Array.of(Math.cos(angle), Math.sin(angle)), containerTags: [] };
				});
			const [near, far] = [around("near", 450, 0, 0.001), around("far", 1_000, 1, 0.002)];
			await collection.apply({ put: [...near, ...far], remove: [], position: "1" });
			// Fewer than half of those that stay, so that no other graph is made.
			await collection.apply({ put: [], remove: near.map(({ id }) => id), position: "2" });
			const found = await collection.nearest(Float32Array.of(1, 0), 10, everywhere);
			expect(found.map((id) => id.startsWith("far"))).toEqual(new Array<boolean>(10).fill(true));
			// Nor do those that wait to be in the graph stand for what it would find.
			await collection.apply({ put: around("waiting", 20, 3.1, 0), remove: [], position: "3", moreFollow: true });
			const beside = await collection.nearest(Float32Array.of(1, 0), 10, everywhere);
			expect(beside.map((id) => id.startsWith("far"))).toEqual(new Array<boolean>(10).fill(true));
			await dispose();
		},
		patienceMs,
	);

	test("what cannot be removed keeps no graph from being made", async () => {
		const { connect, drop } = await open();
		const connection = connect();
		await connection.alone("CREATE TABLE holder (number INTEGER CONSTRAINT vector_graph_held UNIQUE)");
		const warnings: string[] = [];
		const index = pgvectorIndex(connection, { exactMax: 0, buildMegabytes: 64, log: (_level, message) => void warnings.push(message) });
		const collection = await index.open("shared", 2, sampleOrganisation);
		await collection.apply({ put: [{ id: "here", vector: Float32Array.of(1, 0), containerTags: [] }], remove: [], position: "1" });
		await until(async () => warnings.length > 0);
		await until(async () => (await connection.query("SELECT feeder FROM index_feeders WHERE kind = 'graphs'", [])).rows.length === 0);
		expect(new Set(warnings)).toEqual(new Set(["a graph of vectors that no collection has could not be removed"]));
		expect((await connection.query(waitingSql, [sampleOrganisation])).rows).toEqual([]);
		await connection.alone("DROP TABLE holder");
		await connection.close();
		await drop();
	});
}

const lapsedSql = "UPDATE index_feeders SET until = now() - interval '1 second' WHERE kind = $1";
const graphsSql = `SELECT count(*)::integer AS made, count(c.graph)::integer AS used FROM pg_class p LEFT JOIN index_collections c ON c.graph = p.relname AND c.organisation = $1
	WHERE p.relkind = 'i' AND p.relname LIKE 'vector\\_graph\\_%'`;

/** Tells when a program has given up its turn at graphs for the second time: after it was paused it looks again. */
function ending(connection: PostgresConnection, onEnded: () => void): PostgresConnection {
	let turns = 0;
	return {
		...connection,
		query: async (sql, params) => {
			const answer = await connection.query(sql, params);
			if (sql.startsWith("DELETE FROM index_feeders") && ++turns === 2) onEnded();
			return answer;
		},
	};
}

describe("in this process", () => {
	let database: ReturnType<typeof openPglite> | null = null;
	const seen = new Set<string>();
	afterAll(async () => (await database)?.close());
	checkAll(async () => {
		database ??= openPglite();
		const connection = noting(await (await database).empty(), seen);
		return { connect: () => connection, drop: async () => undefined };
	});

	test("every statement names an organisation, but for those that are listed", () => {
		expect(seen.size).toBeGreaterThan(20);
		expect(namingNone(seen)).toEqual([]);
	});
});

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe.skipIf(url === undefined)("on a server", () => {
	let server: ReturnType<typeof openTestServer> | null = null;
	afterAll(async () => (await server)?.close());
	checkAll(async () => {
		server ??= openTestServer(url ?? "");
		return (await server).create();
	});

	test(
		"the first statements of a pool may be sent together",
		async () => {
			server ??= openTestServer(url ?? "");
			const { connect, drop } = await (await server).create();
			const connection = connect();
			const answers = await Promise.all([1, 2].map((number) => connection.query("SELECT $1::integer AS number", [number])));
			expect(answers.map(({ rows }) => rows[0])).toEqual([{ number: 1 }, { number: 2 }]);
			await connection.close();
			await drop();
		},
		patienceMs,
	);

	test(
		"two programs that feed the same collections at once never wait for each other in a circle, and index each text once",
		async () => {
			server ??= openTestServer(url ?? "");
			const { connect, drop } = await (await server).create();
			const [observer, ...programs] = [connect(), connect(), connect()];
			const warnings: unknown[] = [];
			const noted = (_level: string, message: string, details?: unknown) => void warnings.push(message, details);
			const feeding = programs.flatMap((connection) => {
				const [vectors, words] = [pgvectorIndex(connection, { exactMax: 0, buildMegabytes: 64, log: noted }), postgresWordIndex(connection)];
				return ["one", "two", "three"].flatMap((name) => [
					vectors
						.open(name, 2, "shared")
						.then((collection) => feed(collection, (id, i) => ({ id, vector: Float32Array.of(Math.cos(i), Math.sin(i)), containerTags: [] }))),
					words.open(name, 0, "shared").then((collection) => feed(collection, (id, i) => wordEntry(id, `common words of text ${i % 7}`, []))),
				]);
			});
			await Promise.all(feeding);
			const facts = async () => (await (observer as PostgresConnection).query(feedingSql, ["shared"])).rows;
			const all = await until(async () => {
				const rows = await facts();
				return warnings.length > 0 || rows.every((row) => (row as { isMade: number }).isMade === 1) ? rows : null;
			});
			expect(warnings).toEqual([]);
			expect(all.map((row) => (row as { entries: number }).entries)).toEqual(new Array<number>(6).fill(pages * perPage));
			const counted = await (await postgresWordIndex(observer as PostgresConnection).open("one", 0, "shared")).count([["common"], ["0"]]);
			expect([counted.texts, ...counted.holders]).toEqual([pages * perPage, pages * perPage, Math.ceil((pages * perPage) / 7)]);
			for (const connection of [observer, ...programs]) await connection?.close();
			await drop();
		},
		patienceMs,
	);
});

const pages = 10;
const perPage = 20;
/** A collection of words has no graph. */
const feedingSql = `SELECT entries, CASE WHEN kind = 'words' OR graph IS NOT NULL THEN 1 ELSE 0 END AS "isMade" FROM index_collections WHERE organisation = $1`;

interface DerivedCollection<Entry> {
	readonly position: () => Promise<string | null>;
	readonly apply: (changes: { readonly put: readonly Entry[]; readonly remove: readonly string[]; readonly position: string }) => Promise<void>;
}

/** Feeds all pages, and leaves to another program what that one has fed. */
async function feed<Entry>({ position, apply }: DerivedCollection<Entry>, entryOf: (id: string, i: number) => Entry): Promise<void> {
	for (let at = 0; at < pages; at = Number(await position())) {
		const put = Array.from({ length: perPage }, (_, i) => entryOf(`text${at * perPage + i}`, at * perPage + i));
		const failure = await failureOf(apply({ put, remove: [], position: `${at + 1}` }));
		if (failure !== "" && !failure.includes("fed by another program")) throw new Error(failure);
	}
}

function nearestTo({ nearest }: VectorCollection): Promise<readonly string[]> {
	return nearest(Float32Array.of(1, 0), 5, { containerTags: [], tagsMatch: "all", allowedIds: null });
}

async function failureOf(asked: Promise<unknown>): Promise<string> {
	return asked.then(
		() => "",
		(thrown: unknown) => String(thrown),
	);
}
