/** The reading side of one thread: its connection, opened when first needed. */

import { fail } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { Executor } from "../../sql/executor.ts";
import { openReader } from "../connection.ts";

export interface Reads extends Executor {
	/** Opened late, because before the first migration there is no file. */
	readonly connection: () => Connection;
	readonly statement: Connection["statement"];
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
		close() {
			isClosed = true;
			opened?.close();
			opened = null;
		},
	};
}
