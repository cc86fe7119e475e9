/**
 * Removes content that was deleted by early versions, which did not overwrite it: it may still be on free pages and between rows. Only
 * a rewrite of the whole database removes it. A small database is rewritten when it is migrated, a large one by the doctor.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import { emptyLog } from "../writer/checkpoint.ts";

/** A database up to this size is rewritten at the start, in about two seconds, before the server answers requests. */
const rewrittenAtStartMax = 128 * 2 ** 20;

export function isScrubbed({ statement }: Connection): boolean {
	return statement<{ done: number }>("SELECT is_scrubbed AS done FROM upkeep").get()?.done === 1;
}

/** Rewrites the database. It needs about as much free space as the database has. */
export function scrub({ db }: Connection): void {
	db.run("VACUUM");
	db.run("UPDATE upkeep SET is_scrubbed = 1");
}

/** Rewrites a small database. If the disk is too full, the server starts all the same, and the next start tries again. */
export function scrubIfSmall(connection: Connection): void {
	if (isScrubbed(connection) || bytesOf(connection) > rewrittenAtStartMax) return;
	try {
		scrub(connection);
		emptyLog(connection);
	} catch {
		// If the disk is broken, the next write reports it.
	}
}

function bytesOf({ statement }: Connection): number {
	return statement<{ bytes: number }>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size").get()?.bytes ?? 0;
}
