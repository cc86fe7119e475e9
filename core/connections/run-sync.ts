/** Runs one sync: applies each change of a connector and stores the cursors in an order that makes a crash harmless. */

import { fail } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Change, Connector, ConnectorConfig, ConnectorItem, Cursor, Step } from "../plugin/contract.ts";
import type { World } from "../ports/world.ts";

export interface SyncCall {
	readonly connector: Connector;
	readonly config: ConnectorConfig;
	/** The last one kept; null at the first sync. */
	readonly cursor: Cursor | null;
	/** Durable when it resolves, and safe to repeat. */
	readonly put: (item: ConnectorItem) => Promise<void>;
	/** Does nothing when there is nothing under the key. */
	readonly remove: (key: string) => Promise<void>;
	/** Durable when it resolves. */
	readonly keep: (cursor: Cursor) => Promise<void>;
	readonly elapsedMs: World["elapsedMs"];
}

export interface SyncCounts {
	readonly put: number;
	readonly removed: number;
}

/** A cursor may be megabytes long: storing it after each of ten thousand files would write gigabytes. */
const changesBetweenCursors = 100;
/** At most this much has to be repeated after a crash. */
const msBetweenCursors = 10_000;

/**
 * The change is applied first, then its cursor is stored: after a crash in between, the change comes again under the same key.
 * Stops between two changes when the signal is aborted, and stores its position.
 */
export async function runSync(call: SyncCall, step: Step): Promise<SyncCounts> {
	const counts = { put: 0, removed: 0 };
	let unkept = 0;
	let keptAt = call.elapsedMs();
	let last: Change | null = null;
	const keep = async (change: Change) => {
		await call.keep(bounded(change.cursor(), call.connector.name));
		unkept = 0;
		keptAt = call.elapsedMs();
	};
	for await (const change of call.connector.sync(call.config, call.cursor, step)) {
		await apply(change, call, counts);
		last = change;
		unkept += 1;
		const isDue = change.kind === "checkpoint" || unkept >= changesBetweenCursors || call.elapsedMs() - keptAt >= msBetweenCursors || step.signal.aborted;
		if (isDue) await keep(change);
		step.signal.throwIfAborted();
	}
	if (last !== null && unkept > 0) await keep(last);
	return counts;
}

async function apply(change: Change, { connector, put, remove }: SyncCall, counts: { put: number; removed: number }): Promise<void> {
	if (change.kind === "put") {
		await put(named(change.item, connector.name));
		counts.put += 1;
	}
	if (change.kind === "remove") {
		await remove(change.key);
		counts.removed += 1;
	}
}

/** With a truncated or blank key two items would become one document. */
function named(item: ConnectorItem, connector: string): ConnectorItem {
	if (item.key.trim() !== "" && item.key.length <= limits.connectorKeyCharactersMax) return item;
	throw fail("PLUGIN_MALFORMED", connector, `a key of ${item.key.length} characters, where 1 to ${limits.connectorKeyCharactersMax} are possible`);
}

function bounded(cursor: Cursor, connector: string): Cursor {
	// UTF-8 is at most three bytes for each unit of a JavaScript string.
	const length = JSON.stringify(cursor).length;
	if (length * 3 <= limits.cursorBytesMax) return cursor;
	const bytes = new TextEncoder().encode(JSON.stringify(cursor)).byteLength;
	if (bytes > limits.cursorBytesMax) throw fail("PLUGIN_MALFORMED", connector, `a cursor of ${bytes} bytes, where ${limits.cursorBytesMax} are possible`);
	return cursor;
}
