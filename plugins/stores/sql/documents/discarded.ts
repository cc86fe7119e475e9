/**
 * Editions that are no longer visible. The document has the number of its visible edition, so discarding is one small write
 * however many chunks there are; they are deleted afterwards, a little at a time, and search meanwhile passes them by.
 */

import { contextOf, type Program, runHere, type SchemaExecutor, type SqlContext } from "../executor.ts";
import type { DocumentKey } from "./document-operations.ts";

/** This many chunks are deleted in one transaction, with their vectors in about 10 ms. */
const chunksPerSweep = 500;

interface Edition {
	readonly organisation: string;
	readonly document: string;
	readonly edition: number;
}

/** Discards an edition. Most are small enough to be deleted at once; the writer deletes the rest when it has nothing else to do. */
export function* discard(connection: SqlContext, { organisation, id }: DocumentKey, edition: number | null): Program<void> {
	if (edition === null) return;
	yield* connection
		.statement("INSERT INTO discarded_editions (organisation, document, edition) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
		.run(organisation, id, edition);
	yield* sweep(connection, { organisation, document: id, edition });
}

/** Discards all editions of a document. */
export function* discardAll(connection: SqlContext, key: DocumentKey): Program<void> {
	const sql = "SELECT DISTINCT edition FROM chunks WHERE organisation = ? AND document = ?";
	for (const { edition } of yield* connection.statement<{ edition: number }>(sql).all(key.organisation, key.id)) yield* discard(connection, key, edition);
}

/** Deletes some of the chunks of one discarded edition. @returns whether there may be more to do. */
export function* sweepSome(context: SqlContext): Program<boolean> {
	const edition = yield* context.statement<Edition>("SELECT organisation, document, edition FROM discarded_editions LIMIT 1").get();
	if (edition !== null) yield* sweep(context, edition);
	return edition !== null;
}

/** The same on a synchronous connection; without a transaction if there is nothing to do. */
export function sweepDiscarded(connection: SchemaExecutor): boolean {
	if (connection.statement("SELECT 1 FROM discarded_editions LIMIT 1").get() === null) return false;
	return connection.transaction(() => runHere(sweepSome(contextOf(connection))));
}

function* sweep({ statement }: SqlContext, { organisation, document, edition }: Edition): Program<void> {
	const sql = "SELECT key FROM chunks WHERE organisation = ? AND document = ? AND edition = ? LIMIT ?";
	const keys = yield* statement<{ key: number }>(sql).all(organisation, document, edition, chunksPerSweep);
	yield* deleteChunks(
		statement,
		organisation,
		keys.map(({ key }) => key),
	);
	if (keys.length < chunksPerSweep)
		yield* statement("DELETE FROM discarded_editions WHERE organisation = ? AND document = ? AND edition = ?").run(organisation, document, edition);
}

/** Deletes chunks and their vectors. */
export function* deleteChunks(statement: SqlContext["statement"], organisation: string, keys: readonly number[]): Program<void> {
	const list = JSON.stringify(keys);
	// CROSS JOIN makes SQLite begin with the keys; otherwise it would read all chunks of the organisation.
	const sql = `DELETE FROM chunk_vectors WHERE organisation = ?1
		AND chunk IN (SELECT c.id FROM json_each(?2) j CROSS JOIN chunks c ON c.key = CAST(j.value AS BIGINT) WHERE c.organisation = ?1)`;
	yield* statement(sql).run(organisation, list);
	yield* statement("DELETE FROM chunks WHERE key IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND organisation = ?").run(list, organisation);
}
