/** What an upgrade makes of the rows that an earlier version has written. */

import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { PostgresConnection } from "../../../../plugins/stores/postgres/connection.ts";
import { hasPgvector } from "../../../../plugins/stores/postgres/indexes/pgvector.ts";
import { termNumbers } from "../../../../plugins/stores/postgres/indexes/word-terms.ts";
import { postgresWordIndex } from "../../../../plugins/stores/postgres/indexes/words.ts";
import { type History, history, migrate } from "../../../../plugins/stores/postgres/migrations.ts";
import { connectServer } from "../../../../plugins/stores/postgres/server.ts";
import { checksumOf } from "../../../../plugins/stores/sql/migrations.ts";
import { emptyPglite } from "./pglite.ts";

/** A database begins in this process, which takes long on a busy machine. */
const patienceMs = 300_000;

const { of } = termNumbers(1);
const opened: PostgresConnection[] = [];
afterAll(async () => {
	for (const { close } of opened) await close();
});

/** Of the tables as they are before a migration, with a collection of three texts. */
async function databaseBefore(name: string): Promise<PostgresConnection> {
	const connection = await emptyPglite();
	opened.push(connection);
	await migrate(connection, undefined, { history: historyBefore(name) });
	await connection.script(`INSERT INTO index_collections (organisation, kind, name, number, dimensions, position, entries, words) VALUES ('one', 'words', 'chunks', 1, 0, '1', 3, 30);
	INSERT INTO word_terms (organisation, collection, term, holders) VALUES ('one', 1, ${of("rare")}, 3), ('one', 1, ${of("other")}, 3)`);
	return connection;
}

function historyBefore(name: string): History {
	const number = history.migrations.findIndex((each) => each.name === name);
	return { ...history, migrations: history.migrations.slice(0, number) };
}

/** As a server did that knew `counts` alone. */
async function feedLikeBefore({ script }: PostgresConnection, texts: Readonly<Record<string, string>>): Promise<void> {
	for (const [id, counts] of Object.entries(texts))
		await script(`INSERT INTO word_entries (organisation, collection, id, terms, counts, grams, spelled, word_length, gram_length)
		VALUES ('one', 1, '${id}', '{${of("other")},${of("rare")}}', '\\x${counts}', '{}', '{}', 10, 0)`);
}

async function demandRanked(connection: PostgresConnection): Promise<void> {
	const index = await postgresWordIndex(connection).open("chunks", 0, "one");
	const everywhere = { containerTags: [], tagsMatch: "all", allowedIds: null } as const;
	expect(await index.match([{ terms: ["rare"], weight: 1 }], 3, everywhere)).toEqual(["often", "twice", "once"]);
	expect(await index.match([{ terms: ["other"], weight: 1 }], 3, everywhere)).toEqual(["once", "twice", "often"]);
	// How often they have a gram is not known, so core reads their texts.
	const counted = await index.matchCounted?.([{ terms: ["rare"], weight: 1 }], 3, everywhere, ["rare", "#rare"]);
	expect(counted).toEqual(["often", "twice", "once"].map((id) => ({ id, counted: null })));
}

test(
	"texts that were indexed before counts had their terms beside them are still ranked by how often they have a word",
	async () => {
		const connection = await databaseBefore("0006_counted_terms");
		await feedLikeBefore(connection, { often: "0109", once: "0301", twice: "0202" });
		await migrate(connection);
		await demandRanked(connection);
	},
	patienceMs,
);

test(
	"so are texts that a server of the version before feeds while servers of this one run",
	async () => {
		const connection = await databaseBefore("0007_counted_by_old_servers");
		await feedLikeBefore(connection, { often: "0109" });
		await migrate(connection);
		await feedLikeBefore(connection, { once: "0301", twice: "0202" });
		await demandRanked(connection);
	},
	patienceMs,
);

/** A database with one migration, whose transactions fail with these codes before they go through. */
function failingWith(codes: readonly string[], endsByItself = async () => false) {
	const [left, seen] = [[...codes], { tries: 0, pauses: 0, upgrades: [] as number[], logged: [] as string[] }];
	const [first] = history.migrations;
	if (first === undefined) throw new Error("unreachable");
	const transaction: PostgresConnection["transaction"] = (_mode, run) =>
		run({
			query: async (sql) => ({ rows: sql.startsWith("SELECT name") ? [{ name: first.name, checksum: checksumOf(first) }] : [], changes: 0 }),
			script: async (sql) => {
				if (sql !== history.migrations[1]?.sql) return;
				seen.tries++;
				const code = left.shift();
				if (code !== undefined) throw Object.assign(new Error("as the server says it"), { code });
			},
		});
	const pause = async () => void seen.pauses++;
	const upgrading = migrate({ transaction }, async (schema) => void seen.upgrades.push(schema), {
		...{ pause, endsByItself },
		log: (_level, message) => seen.logged.push(message),
	});
	return upgrading.then(() => ({ ...seen, failure: null })).catch((failure: unknown) => ({ ...seen, failure }));
}

test("a migration that waits for a table or for another transaction is tried again, and the start is told of it once", async () => {
	const seen = await failingWith(["55P03", "40P01", "55P03"]);
	expect(seen).toMatchObject({ tries: 4, pauses: 3, upgrades: [1], failure: null });
	expect(seen.logged).toHaveLength(1);
});

test("a table that stays in use ends the start with a code of its own", async () => {
	for (const code of ["55P03", "40P01"]) {
		const seen = await failingWith(new Array<string>(100).fill(code));
		expect(seen).toMatchObject({ tries: 30, pauses: 29, upgrades: [1], failure: { code: "STORAGE_UNREACHABLE" } });
		expect(String(seen.failure)).toContain(`in use by another program (${code})`);
	}
});

test("what holds a table and ends by itself is waited for, however long that takes, before the table is asked for", async () => {
	let looks = 0;
	// It comes back after the first thirty looks and two tries, and the tries after it are counted anew.
	const seen = await failingWith(new Array<string>(31).fill("55P03"), async () => ++looks < 30 || (looks > 32 && looks < 100));
	expect(seen).toMatchObject({ tries: 32, pauses: 29 + 67 + 31, upgrades: [1], failure: null });
	expect(seen.logged).toHaveLength(1);
});

test("a migration that fails for another reason is not tried again", async () => {
	const seen = await failingWith(["42601"]);
	expect(seen).toMatchObject({ tries: 1, pauses: 0, upgrades: [1], logged: [], failure: { code: "42601" } });
});

test("an upgrade, and whoever waits for one, may take longer than a statement of a request", async () => {
	for (const wait of [migrate, hasPgvector]) {
		const sent: string[] = [];
		const note = async (sql: string) => ({ rows: [], changes: sent.push(sql) });
		const transaction: PostgresConnection["transaction"] = (_mode, run) => run({ query: note, script: async (sql) => void (await note(sql)) });
		await wait({ transaction }, async () => undefined);
		expect(sent.slice(0, 2)).toEqual(["SET LOCAL statement_timeout = 0", expect.stringContaining("pg_advisory_xact_lock")]);
	}
});

const url = process.env["CAIRN_TEST_POSTGRES_URL"];

/** @param use is given a connection to an empty database on the server, which is removed at the end */
async function withDatabase(use: (connection: PostgresConnection) => Promise<void>): Promise<void> {
	const name = `cairn_test_${randomUUID().replaceAll("-", "")}`;
	const admin = postgres(url ?? "", { max: 1, onnotice: () => undefined });
	try {
		await admin.unsafe(`CREATE DATABASE ${name}`);
		const address = new URL(url ?? "");
		address.pathname = `/${name}`;
		const connection = connectServer({ url: address.href, connectionsMax: 4, prepare: true, statementTimeoutMs: 60_000, log: () => undefined });
		await use(connection).finally(connection.close);
	} finally {
		await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
		await admin.end();
	}
}

test.skipIf(url === undefined)(
	"a migration that waits for a table lets others read it, and is done when the table is free",
	() =>
		withDatabase(async (connection) => {
			const numbers = async () => (await connection.query("SELECT count(*) AS count FROM migrations", [])).rows;
			const reading = "SELECT count(*) AS count FROM word_entries WHERE organisation = $1";
			const before = historyBefore("0008_counted_grams");
			await migrate(connection, undefined, { history: before });
			const [paused, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
			let pauses = 0;
			let upgrading = Promise.resolve();
			const pause = () => {
				pauses++;
				paused.resolve();
				return freed.promise;
			};
			try {
				await connection.transaction("", async ({ query }) => {
					await query(reading, ["one"]);
					upgrading = migrate(connection, undefined, { pause });
					await Promise.race([paused.promise, upgrading]);
					expect((await connection.query(reading, ["one"])).rows).toEqual([{ count: 0 }]);
					expect(await numbers()).toEqual([{ count: before.migrations.length }]);
				});
			} finally {
				freed.resolve();
				await upgrading;
			}
			expect(pauses).toBe(1);
			expect(await numbers()).toEqual([{ count: history.migrations.length }]);
		}),
	patienceMs,
);
