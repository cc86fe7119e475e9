/**
 * Editions that nobody sees any more. Which edition is visible stands in the document, so discarding is one small write
 * however many chunks there are; they are deleted afterwards, a little at a time, and search meanwhile passes them by.
 */

import type { Executor, SchemaExecutor } from "../executor.ts";
import type { DocumentKey } from "./document-operations.ts";

/** Deleted in one transaction: about 10 ms with their vectors. */
const chunksPerSweep = 500;

interface Edition {
	readonly organisation: string;
	readonly document: string;
	readonly edition: number;
}

/** Most editions are small enough to be deleted at once; the writer comes back for the rest when it has nothing else to do. */
export function discard(connection: Executor, { organisation, id }: DocumentKey, edition: number | null): void {
	if (edition === null) return;
	connection.statement("INSERT OR IGNORE INTO discarded_editions (organisation, document, edition) VALUES (?, ?, ?)").run(organisation, id, edition);
	sweep(connection, { organisation, document: id, edition });
}

/** All that a document ever staged. */
export function discardAll(connection: Executor, key: DocumentKey): void {
	const sql = "SELECT DISTINCT edition FROM chunks WHERE organisation = ? AND document = ?";
	for (const { edition } of connection.statement<{ edition: number }>(sql).all(key.organisation, key.id)) discard(connection, key, edition);
}

/** Deletes some of the chunks of one discarded edition. @returns whether there may be more to do. */
export function sweepDiscarded(connection: SchemaExecutor): boolean {
	const edition = connection.statement<Edition>("SELECT organisation, document, edition FROM discarded_editions LIMIT 1").get();
	if (edition === null) return false;
	connection.transaction(() => sweep(connection, edition));
	return true;
}

function sweep({ statement }: Pick<Executor, "statement">, { organisation, document, edition }: Edition): void {
	const sql = "SELECT key FROM chunks WHERE organisation = ? AND document = ? AND edition = ? LIMIT ?";
	const keys = statement<{ key: number }>(sql).all(organisation, document, edition, chunksPerSweep);
	deleteChunks(
		statement,
		organisation,
		keys.map(({ key }) => key),
	);
	if (keys.length < chunksPerSweep)
		statement("DELETE FROM discarded_editions WHERE organisation = ? AND document = ? AND edition = ?").run(organisation, document, edition);
}

/** With their vectors. */
export function deleteChunks(statement: Executor["statement"], organisation: string, keys: readonly number[]): void {
	const list = JSON.stringify(keys);
	// `CROSS`: by the keys, and not by a look at all chunks of the organisation.
	const sql = `DELETE FROM chunk_vectors WHERE organisation = ?1
		AND chunk IN (SELECT c.id FROM json_each(?2) j CROSS JOIN chunks c ON c.key = j.value WHERE c.organisation = ?1)`;
	statement(sql).run(organisation, list);
	statement("DELETE FROM chunks WHERE key IN (SELECT value FROM json_each(?)) AND organisation = ?").run(list, organisation);
}
