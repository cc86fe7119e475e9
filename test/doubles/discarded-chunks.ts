/** A deleted document of many chunks, whose chunks are still there: the writer deletes them between writes. */

import type { Connection } from "../../plugins/stores/sql/bun-connection.ts";

export function discardChunks({ transaction, statement }: Connection, count: number): void {
	const sql = "INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES ('o', ?, 'd', 1, 1, ?, ?, '{}')";
	transaction(() => {
		for (let i = 0; i < count; i++) statement(sql).run(`chunk-${i}`, i, `walnut ${i} `.repeat(50));
		statement("INSERT INTO discarded_editions (organisation, document, edition) VALUES ('o', 'd', 1)").run();
	});
}
