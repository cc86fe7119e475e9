/** The reading side of one thread: its connection, opened when first needed, and whatever is prepared on it. */

import { fail } from "cairn-memory";
import { type Connection, openReader } from "../connection.ts";

export interface Reads {
	/** Opened late, because before the first migration there is no file. */
	readonly connection: () => Connection;
	readonly statement: Connection["statement"];
	readonly snapshot: Connection["snapshot"];
	/** Prepares once, when first asked for. */
	readonly prepare: <Prepared>(make: (connection: Connection) => Prepared) => () => Prepared;
	readonly close: () => void;
}

/** @param open for what it is read: searches, or upkeep. */
export function openReads(file: string, open: (file: string) => Connection = openReader): Reads {
	let opened: Connection | null = null;
	let isClosed = false;

	function connection(): Connection {
		if (isClosed) throw fail("STORAGE_UNREACHABLE", "it is closed");
		opened ??= open(file);
		return opened;
	}

	return {
		connection,
		statement: (sql) => connection().statement(sql),
		snapshot: (read) => connection().snapshot(read),
		prepare(make) {
			let made: ReturnType<typeof make> | null = null;
			return () => {
				made ??= make(connection());
				return made;
			};
		},
		close() {
			isClosed = true;
			opened?.close();
			opened = null;
		},
	};
}
