/** The tables as `cairn erase` sees them: rewritten without what was deleted, and read whole. Which tables there are the catalogue says. */

import type { Log } from "cairn-memory";
import type { OutsideTables, StoredTable } from "cairn-memory/stores";
import type { PostgresConnection } from "./connection.ts";
import type { IndexOf } from "./indexes/collections.ts";

/** How many blocks of 8 kB are read at once: some hundred rows. */
const blocksAtOnce = 4;

export interface OutsideParts {
	readonly connection: PostgresConnection;
	readonly indexes: readonly Pick<IndexOf<unknown>, "names" | "drop">[];
	readonly log: Log;
}

export function outsideTables({ connection, indexes, log }: OutsideParts): OutsideTables {
	const { alone, query, once } = connection;

	async function tablesWhere(condition: string): Promise<readonly string[]> {
		const sql = `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
			WHERE c.relkind IN ('r', 'm') AND ${condition} ORDER BY 1`;
		return (await query(sql, [])).rows.map((row) => (row as { readonly name: string }).name);
	}

	/** What the planner has noted of the values of an empty table stays there, as `ANALYZE` passes such tables by. */
	async function forgetStatistics(): Promise<void> {
		try {
			await alone(statisticsSql);
			await alone("VACUUM FULL pg_statistic");
		} catch (thrown) {
			log("error", "only a superuser can remove the statistics of empty tables, which may hold deleted values", { reason: String(thrown) });
		}
	}

	async function* valuesOf(name: string): AsyncGenerator<Uint8Array> {
		const size = `SELECT pg_relation_size('${name.replaceAll("'", "''")}') / current_setting('block_size')::bigint AS blocks`;
		const { blocks } = (await once(size)).rows[0] as { readonly blocks: number };
		for (let block = 0; block < blocks; block += blocksAtOnce)
			yield* bytesIn((await once(`SELECT * FROM ${name} WHERE ctid >= '(${block},0)' AND ctid < '(${block + blocksAtOnce},0)'`)).rows);
	}

	async function* statistics(): AsyncGenerator<Uint8Array> {
		yield* bytesIn((await once(notedSql)).rows);
	}

	return {
		scrub: async () => {
			for (const { names, drop } of indexes) for (const name of await names()) await drop(name);
			for (const name of await tablesWhere("n.nspname = current_schema()")) await alone(`VACUUM (FULL, ANALYZE) ${name}`);
			await forgetStatistics();
		},
		read: async function* (): AsyncGenerator<StoredTable> {
			for (const name of await tablesWhere(notOfPostgres)) yield { name, values: valuesOf(name) };
			yield { name: "pg_stats", values: statistics() };
		},
	};
}

function* bytesIn(rows: readonly unknown[]): Generator<Uint8Array> {
	for (const row of rows) for (const value of Object.values(row as object)) if (value !== null) yield bytesOf(value);
}

function bytesOf(value: unknown): Uint8Array {
	if (value instanceof Uint8Array) return value;
	return Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
}

/** What a column holds beside its row (TOAST) is read with the row. */
const notOfPostgres = `n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'`;

const statisticsSql = `DELETE FROM pg_statistic WHERE starelid IN
	(SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relpages = 0 AND n.nspname = current_schema())`;

/** The commonest values of each column and the bounds between them, which the planner keeps. */
const notedSql = `SELECT most_common_vals::text AS values, histogram_bounds::text AS bounds, most_common_elems::text AS elements
	FROM pg_stats WHERE schemaname NOT LIKE 'pg\\_%' AND schemaname <> 'information_schema'`;
