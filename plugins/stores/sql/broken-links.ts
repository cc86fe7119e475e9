/**
 * Rows whose other end is missing. Each statement looks for one kind of them through a whole database. Between two commits there are none,
 * whatever was deleted or broken off, so what is found is damage that neither a checksum of values nor an index shows. Only the version
 * before a memory may be gone: it is erased, or was not in an import, and the memory stays.
 */

import type { Executor } from "./executor.ts";

/** Rows of an organisation that is being removed go table by table. */
const stays = (alias: string) => `${alias}.organisation NOT IN (SELECT id FROM organisations WHERE removed_at IS NOT NULL)`;
const isThere = (table: string, id: string, of: string) => `EXISTS (SELECT 1 FROM ${table} x WHERE x.organisation = ${of}.organisation AND x.id = ${of}.${id})`;

const queries: Readonly<Record<string, string>> = {
	"chunks without a document": `SELECT count(*) AS n FROM chunks c WHERE NOT ${isThere("documents", "document", "c")} AND ${stays("c")}
		AND NOT EXISTS (SELECT 1 FROM discarded_editions d WHERE d.organisation = c.organisation AND d.document = c.document AND d.edition = c.edition)
		AND NOT EXISTS (SELECT 1 FROM removed_documents r WHERE r.organisation = c.organisation AND r.document = c.document)`,
	// While the embedder is switched a text may have a vector in the other space alone.
	"chunks without a vector": `SELECT count(*) AS n FROM documents d JOIN chunks c ON c.organisation = d.organisation AND c.document = d.id
		AND c.edition = d.published_edition WHERE ${stays("c")} AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.organisation = c.organisation AND v.chunk = c.id)`,
	"vectors without a chunk": `SELECT count(*) AS n FROM chunk_vectors v WHERE NOT ${isThere("chunks", "chunk", "v")} AND ${stays("v")}`,
	"memories without a vector": `SELECT count(*) AS n FROM memories m WHERE ${stays("m")}
		AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.organisation = m.organisation AND v.memory = m.id)`,
	"evidence without a memory": `SELECT count(*) AS n FROM memory_evidence e WHERE NOT ${isThere("memories", "memory", "e")} AND ${stays("e")}`,
	"evidence without a document": `SELECT count(*) AS n FROM memory_evidence e WHERE NOT ${isThere("documents", "document", "e")} AND ${stays("e")}`,
	"edges without both memories": `SELECT count(*) AS n FROM memory_edges e
		WHERE NOT (${isThere("memories", "source", "e")} AND ${isThere("memories", "target", "e")}) AND ${stays("e")}`,
};

/** @returns a finding for each kind of which there are some, such as `3 chunks without a document` */
export function brokenLinks({ statement }: Pick<Executor, "statement">): readonly string[] {
	return Object.entries(queries).flatMap(([what, sql]) => {
		const { n } = statement<{ n: number }>(sql).get() ?? { n: 0 };
		return n === 0 ? [] : [`${n} ${what}`];
	});
}
