/**
 * Takes out what was deleted before deleted content was overwritten: it may still lie on free pages and between rows. Only a
 * rewrite of the whole database does that. A small one is rewritten when it is migrated; for a large one the doctor does it.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import { emptyLog } from "../writer/checkpoint.ts";

/** Rewritten in about two seconds, before the server answers requests. */
const rewrittenAtStartMax = 128 * 2 ** 20;

export function isScrubbed({ statement }: Connection): boolean {
	return statement<{ done: number }>("SELECT is_scrubbed AS done FROM upkeep").get()?.done === 1;
}

/** Needs about as much space again as the database has. */
export function scrub({ db }: Connection): void {
	db.run("VACUUM");
	db.run("UPDATE upkeep SET is_scrubbed = 1");
}

/** A disk that has no room for it is no reason not to start: it is tried again at the next start. */
export function scrubIfSmall(connection: Connection): void {
	if (isScrubbed(connection) || bytesOf(connection) > rewrittenAtStartMax) return;
	try {
		scrub(connection);
		emptyLog(connection);
	} catch {
		// What is wrong with the disk the next write says.
	}
}

function bytesOf({ statement }: Connection): number {
	return statement<{ bytes: number }>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size").get()?.bytes ?? 0;
}
