/** The read connection of a thread, which is opened when it is first needed. */

import { fail } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { Executor } from "../../sql/executor.ts";
import { openReader } from "../connection.ts";

export interface Reads extends Executor {
	/** Opened on the first call, because there is no file before the first migration. */
	readonly connection: () => Connection;
	readonly statement: Connection["statement"];
	readonly close: () => void;
}

/** @param open opens a connection for searches, or for maintenance. */
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
