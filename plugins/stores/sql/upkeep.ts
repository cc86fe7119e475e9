/** Upkeep of the tables: what has expired, what nobody asks for any more, and what still tells of what was deleted goes, a little at a time. */

import { limits, type OrganisationId } from "cairn-memory";
import { isId } from "cairn-memory/stores";
import { type Executor, repeatable, type SqlEngine } from "./executor.ts";

/** How many changes of texts stay written down, of all organisations together: an index that has missed more is made anew. */
export const changesKept = 200_000;
/** The same of what scopes see. Who has missed more lists his scopes anew. */
export const scopeChangesKept = 20_000;

export interface Sweep {
	readonly kept: number;
	readonly limit: number;
}

/**
 * What has happened to texts, and to what scopes see of documents and memories, is written down for the indexes, by triggers and
 * when memories come back; and forgotten here.
 */
export function changeLogOperations({ statement }: Executor) {
	/** All but the newest `kept`. A few at a time. @returns how many went. */
	const sweeper = (table: "text_changes" | "scope_changes" | "memory_moves" | "memory_returns") =>
		repeatable(({ kept, limit }: Sweep): number => {
			const sql = `DELETE FROM ${table} WHERE sequence IN (SELECT sequence FROM ${table}
				WHERE sequence <= (SELECT seq FROM sqlite_sequence WHERE name = '${table}') - ? ORDER BY sequence LIMIT ?)`;
			return statement(sql).run(kept, limit).changes;
		});
	return {
		sweepTextChanges: sweeper("text_changes"),
		sweepScopeChanges: sweeper("scope_changes"),
		sweepMemoryMoves: sweeper("memory_moves"),
		sweepMemoryReturns: sweeper("memory_returns"),
	};
}

/** What is left of deleted documents in other tables. */
export function erasureOperations({ statement }: Executor) {
	return {
		/** Takes the customIds of documents that are gone for good out of so many events. @returns the last of them, null at the end. */
		eraseFromEvents: repeatable(({ after, limit }: { after: number; limit: number }): number | null => {
			const range = "SELECT max(sequence) AS last FROM (SELECT sequence FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?)";
			const last = statement<{ last: number | null }>(range).get(after, limit)?.last ?? null;
			if (last === null) return null;
			const sql = `UPDATE events SET facts = json_set(facts, '$.customId', NULL)
				WHERE sequence > ? AND sequence <= ? AND type LIKE 'document.%' AND facts ->> 'customId' IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.organisation = events.organisation AND d.id = events.subject)
				AND subject NOT IN (SELECT document FROM removed_documents)`;
			statement(sql).run(after, last);
			return last;
		}),

		/** What the language model has answered is kept so that it is not paid twice. @returns how many went. */
		eraseModelAnswers: repeatable(({ expiringBefore, limit }: { expiringBefore: Date; limit: number }): number => {
			const sql = "DELETE FROM records WHERE rowid IN (SELECT rowid FROM records WHERE kind = 'model-answer' AND expires_at < ? LIMIT ?)";
			return statement(sql).run(expiringBefore.getTime(), limit).changes;
		}),
	};
}

/** A document's own as long as the document is there or may come back; what is named after a document, as long as it is not finished. */
export function blobsNeeded({ statement }: Executor, organisation: OrganisationId, keys: readonly string[]): ReadonlySet<string> {
	const isOwn = (key: string) =>
		ownerTables.some((table) => statement(`SELECT 1 FROM ${table} WHERE organisation = ? AND blob = ? LIMIT 1`).get(organisation, key) !== null);
	return new Set(keys.filter((key) => isOwn(key) || isOfUnfinished(key)));

	function isOfUnfinished(key: string): boolean {
		const named = key.split(/[._-]/).filter(isId);
		const sql = "SELECT 1 FROM documents WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) AND status <> 'done' AND status <> 'failed'";
		return statement(sql).get(organisation, JSON.stringify(named)) !== null;
	}
}

const ownerTables = ["documents", "removed_documents"] as const;

/** Removed in one go: takes about a millisecond. */
const batch = 500;
/** Documents bring their chunks and memories along. */
const documentsPerBatch = 10;

/** Forgets memories whose time has passed, and removes records and removed documents that have expired, old events, and what the indexes have heard of. @returns whether documents went whose time to come back was over. */
export async function sweepRows({ write }: Pick<SqlEngine, "write">, now: Date, signal: AbortSignal): Promise<boolean> {
	const before = new Date(now.getTime() - limits.eventRetentionMs);
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
