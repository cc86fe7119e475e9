/** Forgets memories whose time has passed, and removes what nobody asks for any more: what the word indexes have heard of, records that have expired, old events, and removed documents whose time to come back is over. */

import { limits } from "cairn-memory";
import type { SqlEngine } from "../executor.ts";
import { changesKept, scopeChangesKept } from "./change-log.ts";

/** Removed in one go: takes about a millisecond. */
const batch = 500;
/** Documents bring their chunks and memories along. */
const documentsPerBatch = 10;

/** @returns whether documents went whose time to come back was over. */
export async function sweepRows({ write }: Pick<SqlEngine, "write">, now: Date, signal: AbortSignal): Promise<boolean> {
	const before = new Date(now.getTime() - limits.eventsKeptMs);
	while (!signal.aborted && (await write("sweepExpired", { now, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepRecords", { now, limit: batch })) === batch);
	let removed = 0;
	for (let swept = documentsPerBatch; !signal.aborted && swept === documentsPerBatch; removed += swept)
		swept = await write("sweepRemovals", { now, limit: documentsPerBatch });
	while (!signal.aborted && (await write("sweepTextChanges", { kept: changesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepScopeChanges", { kept: scopeChangesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepMemoryMoves", { kept: scopeChangesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepMemoryReturns", { kept: scopeChangesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepEvents", { before, limit: batch })) === batch);
	return removed > 0;
}
