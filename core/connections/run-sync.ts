/** Runs one sync: applies each change of a connector, and then stores its cursor, so that a crash loses no change. */

import { fail } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Change, Connector, ConnectorConfig, ConnectorItem, Cursor, Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";

export interface SyncCall {
	readonly connector: Connector;
	readonly config: ConnectorConfig;
	/** The last stored cursor; null at the first sync. */
	readonly cursor: Cursor | null;
	/** Adds or changes a document. Durable when it resolves, and safe to repeat. */
	readonly put: (item: ConnectorItem) => Promise<void>;
	/** Removes a document. Does nothing if there is none with this key. */
	readonly remove: (key: string) => Promise<void>;
	/** Stores the cursor. Durable when it resolves. */
	readonly storeCursor: (cursor: Cursor) => Promise<void>;
	readonly elapsedMs: World["elapsedMs"];
}

export interface SyncCounts {
	readonly put: number;
	readonly removed: number;
}

/** A cursor may be megabytes long: storing it after each of ten thousand files would write gigabytes. */
const changesBetweenCursors = 100;
/** So at most this time of work is repeated after a crash. */
const msBetweenCursors = 10_000;

/**
 * The change is applied first, then its cursor is stored: after a crash in between, the connector reports the change again under the same key.
 * Stops between two changes when the signal is aborted, and stores its position.
 */
export async function runSync(call: SyncCall, step: Step): Promise<SyncCounts> {
	const counts = { put: 0, removed: 0 };
	let changesSinceCursor = 0;
	let storedAt = call.elapsedMs();
	let last: Change | null = null;
	const storeCursor = async (change: Change) => {
		await call.storeCursor(checkedCursor(change.cursor(), call.connector.name));
		changesSinceCursor = 0;
		storedAt = call.elapsedMs();
	};
	for await (const change of call.connector.sync(call.config, call.cursor, step)) {
		await apply(change, call, counts);
		last = change;
		changesSinceCursor += 1;
		const isDue =
			change.kind === "checkpoint" || changesSinceCursor >= changesBetweenCursors || call.elapsedMs() - storedAt >= msBetweenCursors || step.signal.aborted;
		if (isDue) await storeCursor(change);
		step.signal.throwIfAborted();
	}
	if (last !== null && changesSinceCursor > 0) await storeCursor(last);
	return counts;
}

async function apply(change: Change, { connector, put, remove }: SyncCall, counts: { put: number; removed: number }): Promise<void> {
	if (change.kind === "put") {
		await put(checkedItem(change.item, connector.name));
		counts.put += 1;
	}
	if (change.kind === "remove") {
		await remove(change.key);
		counts.removed += 1;
	}
}

/** Throws for a blank or too long key: if it were truncated, two items could become one document. */
function checkedItem(item: ConnectorItem, connector: string): ConnectorItem {
	if (item.key.trim() !== "" && item.key.length <= limits.connectorKeyCharactersMax) return item;
	throw fail("PLUGIN_MALFORMED", connector, `a key of ${item.key.length} characters; 1 to ${limits.connectorKeyCharactersMax} are allowed`);
}

function checkedCursor(cursor: Cursor, connector: string): Cursor {
	// UTF-8 has at most three bytes for each UTF-16 code unit of a JavaScript string.
	const length = JSON.stringify(cursor).length;
	if (length * 3 <= limits.cursorBytesMax) return cursor;
	const bytes = new TextEncoder().encode(JSON.stringify(cursor)).byteLength;
	if (bytes > limits.cursorBytesMax) throw fail("PLUGIN_MALFORMED", connector, `a cursor of ${bytes} bytes; at most ${limits.cursorBytesMax} are allowed`);
	return cursor;
}
