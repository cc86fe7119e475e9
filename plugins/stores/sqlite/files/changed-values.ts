/**
 * Which documents, memories, containers and settings of a damaged database hold values that are no longer what was stored. SQLite reads a
 * value from a page of zeros or of other bytes without an error, but an index still says what it was: the checksums of `0028_checksums.sql`,
 * and for some values the index that they stand in themselves.
 */

import type { OrganisationId } from "cairn-memory";
import { type ComparedKind, comparedKinds } from "cairn-memory/stores";
import type { Connection } from "../../sql/bun-connection.ts";
import { attempt } from "./damaged-organisations.ts";

/** The tables that each is made of, and the column with its id. Settings are the records of one kind, which is their id. */
const tablesOf: Readonly<Record<ComparedKind, Readonly<Record<string, string>>>> = {
	document: { documents: "id", document_texts: "document", chunks: "document" },
	memory: { memories: "id", memory_evidence: "memory" },
	container: { containers: "tag" },
	settings: { records: "kind" },
};

/** The indexes whose own columns are compared, since they are in no checksum. They must be as they were stored. */
export const comparedIndexes: Readonly<Record<string, readonly string[]>> = {
	documents: ["documents_by_update", "documents_by_custom_id", "documents_by_filepath"],
	memories: ["memories_by_container", "memories_by_parent", "memories_by_root"],
};

export type ChangedValues = (organisation: OrganisationId, kind: ComparedKind, id: string) => boolean | null;

/** @returns whether a value was changed; null if none was as far as can be seen, and some checksums cannot be read */
export function changedValues(opened: Connection): ChangedValues {
	const queriesOf = (kind: ComparedKind) => Object.entries(tablesOf[kind]).flatMap(([table, id]) => changedRows(opened, table, id));
	const queries = new Map(comparedKinds.map((kind) => [kind, queriesOf(kind)]));
	return (organisation, kind, id) => {
		const answers = queries.get(kind)?.map((sql) => (sql === null ? null : attempt(() => opened.statement(sql).get(organisation, id) !== null, null))) ?? [];
		return answers.includes(true) || (answers.includes(null) ? null : false);
	};
}

/** Queries for a row that an index does not have as it is. @returns null for an index that an older database does not have */
function changedRows(opened: Connection, table: string, id: string): readonly (string | null)[] {
	const sums = `${table}_checksums`;
	const entries = [[sums, sameChecksum(opened, sums)] as const, ...(comparedIndexes[table] ?? []).map((index) => [index, sameColumns(opened, index)] as const)];
	return entries.map(([index, entry]) =>
		entry === null
			? null
			: `SELECT 1 FROM ${table} AS stored WHERE organisation = ? AND ${id} = ? AND ${entry.isIndexed}
				AND NOT EXISTS (SELECT 1 FROM ${table} AS listed INDEXED BY ${index} WHERE ${entry.isSame}) LIMIT 1`,
	);
}

/** Conditions in SQL: whether the row `stored` is in the index at all, and whether its entry `listed` is that row as it is. */
interface IndexEntry {
	readonly isIndexed: string;
	readonly isSame: string;
}

/** A plus keeps SQLite from taking a value from the index as well. */
function sameChecksum({ statement }: Connection, index: string): IndexEntry | null {
	const schema = attempt(() => statement<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?").get(index), null);
	const [, key, values] = /\(\s*(?:(\w+),\s*)?checksum\(([^)]*)\)\)\s*$/.exec(schema?.sql ?? "") ?? [];
	if (values === undefined) return null;
	const columns = values.split(",").map((column) => column.trim());
	const sum = (prefix: string) => `checksum(${columns.map((column) => prefix + column).join(", ")})`;
	const ofTheKey = key === undefined ? "" : `listed.${key} = stored.${key} AND `;
	return { isIndexed: "TRUE", isSame: `${ofTheKey}${sum("listed.")} = ${sum("+stored.")}` };
}

/** Some of these indexes leave out rows without a value. */
function sameColumns({ statement }: Connection, index: string): IndexEntry | null {
	const columns = attempt(() => statement<{ name: string }>("SELECT name FROM pragma_index_info(?)").all(index), []).map(({ name }) => name);
	if (columns.length === 0) return null;
	return {
		isIndexed: columns.map((column) => `stored.${column} IS NOT NULL`).join(" AND "),
		isSame: ["rowid", ...columns].map((column) => `listed.${column} = +stored.${column}`).join(" AND "),
	};
}
