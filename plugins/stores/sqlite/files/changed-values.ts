/**
 * Which documents and memories of a damaged database hold values that are no longer what was stored. SQLite reads a value from a page of
 * zeros or of other bytes without an error, but the index of checksums (`0028_checksums.sql`) still says what the values of a row were. Values
 * that stand in another index have no checksum, and are not compared.
 */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import { attempt } from "./damaged-organisations.ts";

/** The tables that a document or memory is made of, and the column with its id. */
const tablesOf = {
	document: { documents: "id", document_texts: "document", chunks: "document" },
	memory: { memories: "id", memory_evidence: "memory" },
} as const;

export type ChangedValues = (organisation: OrganisationId, kind: keyof typeof tablesOf, id: string) => boolean | null;

/** @returns whether a value was changed; null if none was as far as can be seen, and some checksums cannot be read */
export function changedValues(opened: Connection): ChangedValues {
	const queries = {
		document: Object.entries(tablesOf.document).map(([table, id]) => changedRow(opened, table, id)),
		memory: Object.entries(tablesOf.memory).map(([table, id]) => changedRow(opened, table, id)),
	};
	return (organisation, kind, id) => {
		const answers = queries[kind].map((sql) => (sql === null ? null : attempt(() => opened.statement(sql).get(organisation, id) !== null, null)));
		return answers.includes(true) || (answers.includes(null) ? null : false);
	};
}

/** Finds a row whose checksum is not in the index. A plus keeps SQLite from taking a value from the index as well. @returns null for a database from before there were checksums */
function changedRow({ statement }: Connection, table: string, id: string): string | null {
	const index = `${table}_checksums`;
	const schema = attempt(() => statement<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?").get(index), null);
	const [, key, values] = /\(\s*(\w+),\s*checksum\(([^)]*)\)\)\s*$/.exec(schema?.sql ?? "") ?? [];
	if (key === undefined || values === undefined) return null;
	const columns = values.split(",").map((column) => column.trim());
	const sum = (prefix: string) => `checksum(${columns.map((column) => prefix + column).join(", ")})`;
	return `SELECT 1 FROM ${table} AS stored WHERE organisation = ? AND ${id} = ? AND NOT EXISTS
		(SELECT 1 FROM ${table} AS listed INDEXED BY ${index} WHERE listed.${key} = stored.${key} AND ${sum("listed.")} = ${sum("+stored.")}) LIMIT 1`;
}
