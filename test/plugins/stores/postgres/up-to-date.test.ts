/** Each search asks whether anything has changed: PostgreSQL must find that by its indexes, and not by reading whole tables. */

import { expect, test } from "bun:test";
import type { OrganisationId } from "cairn-memory";
import type { PostgresConnection } from "../../../../plugins/stores/postgres/connection.ts";
import { postgresEngine } from "../../../../plugins/stores/postgres/engine.ts";
import { textSource, vectorSource } from "../../../../plugins/stores/sql/index-source.ts";
import { openPglite } from "./pglite.ts";

/** A database begins in this process, which takes long on a busy machine. */
const patienceMs = 300_000;
const organisation = "one" as OrganisationId;
/** So many that reading the table costs more than asking an index. */
const many = 3_000;
const filling = `SET session_replication_role = replica;
	INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place)
		SELECT 'one', 'c' || i, 'd' || i, 1, 1, 0, 'a text of some words', '{}' FROM generate_series(1, ${many}) i;
	INSERT INTO chunk_vectors (organisation, chunk, space, vector) SELECT 'one', 'c' || i, 'sample', '\\x00000000' FROM generate_series(1, ${many}) i;
	INSERT INTO scope_changes (organisation, document) SELECT 'one', 'd' || i FROM generate_series(1, ${many}) i;
	INSERT INTO text_changes (organisation, kind, text, id) SELECT 'one', 'chunk', i, 'c' || i FROM generate_series(1, ${many}) i;
	ANALYZE`;

test(
	"whether anything has changed is asked without reading a table, however many rows are in it",
	async () => {
		const database = await openPglite();
		const connection = await database.empty();
		await connection.script(filling);
		const asked: string[] = [];
		const query: PostgresConnection["query"] = (sql, params) => {
			asked.push(sql);
			return connection.query(sql, params);
		};
		const { engine } = postgresEngine({ ...connection, query }, () => undefined);
		const sources = [textSource(organisation, engine), vectorSource(organisation, { name: "sample", dimensions: 1 }, engine)];
		for (const { isUpToDate } of sources) {
			expect(await isUpToDate("chunk", `${many}.${many}.${many}`)).toBe(true);
			for (const behind of [`${many - 1}.${many}.${many}`, `${many}.${many - 1}.${many}`, `${many}.${many}.${many - 1}`])
				expect([behind, await isUpToDate("chunk", behind)]).toEqual([behind, false]);
		}
		for (const sql of new Set(asked)) {
			// As it is planned for any numbers, which is how a statement is run that was prepared.
			const { rows } = await connection.once(`EXPLAIN (GENERIC_PLAN) ${sql}`);
			const plan = rows.map((row) => Object.values(row as object).join("")).join("\n");
			expect(plan).toContain("Index");
			expect(plan).not.toMatch(/Seq Scan on (chunks|chunk_vectors|scope_changes|text_changes)\b(?!_)/);
		}
		await database.close();
	},
	patienceMs,
);
