/** Maintenance of the tables: expired rows, log entries that are no longer needed, and remains of deleted documents are deleted, a few rows at a time. */

import { limits, type OrganisationId } from "cairn-memory";
import { type BlobRemover, isId } from "cairn-memory/stores";
import { hasOwner } from "./documents/blob-owners.ts";
import { eraseRemovedOrganisations } from "./erase-organisation.ts";
import { type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";

/** How many changes of texts are stored, for all organisations together. An index that has missed more is rebuilt. */
export const changesKept = 200_000;
/** How many changes of scopes are stored. An index that has missed more lists its scopes again. */
export const scopeChangesKept = 20_000;

export interface Sweep {
	readonly kept: number;
	readonly limit: number;
}

/**
 * Deletes old entries of the change logs that indexes read: of texts, and of the scopes of documents and memories. The entries are
 * written by triggers, and when memories are restored.
 */
export function changeLogOperations({ statement }: SqlContext) {
	/** Deletes up to `limit` entries, never the newest `kept`. @returns how many were deleted. */
	const sweeper = (table: "text_changes" | "scope_changes" | "memory_moves" | "memory_returns") =>
		repeatable(function* ({ kept, limit }: Sweep): Program<number> {
			const sql = `DELETE FROM ${table} WHERE sequence IN (SELECT sequence FROM ${table}
				WHERE sequence <= (SELECT seq FROM sqlite_sequence WHERE name = '${table}') - ? ORDER BY sequence LIMIT ?)`;
			return (yield* statement(sql).run(kept, limit)).changes;
		});
	return {
		sweepTextChanges: sweeper("text_changes"),
		sweepScopeChanges: sweeper("scope_changes"),
		sweepMemoryMoves: sweeper("memory_moves"),
		sweepMemoryReturns: sweeper("memory_returns"),
	};
}

/** Deletes what other tables still have of deleted documents. */
export function erasureOperations({ statement }: SqlContext) {
	return {
		/** Removes the customIds of finally deleted documents from the next `limit` events. @returns the last of these events; null at the end. */
		eraseFromEvents: repeatable(function* ({ after, limit }: { after: number; limit: number }): Program<number | null> {
			const range = "SELECT max(sequence) AS last FROM (SELECT sequence FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?)";
			const last = (yield* statement<{ last: number | null }>(range).get(after, limit))?.last ?? null;
			if (last === null) return null;
			const sql = `SELECT organisation, sequence, facts FROM events
				WHERE sequence > ? AND sequence <= ? AND type LIKE 'document.%' AND facts ->> 'customId' IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.organisation = events.organisation AND d.id = events.subject)
				AND NOT EXISTS (SELECT 1 FROM removed_documents r WHERE r.organisation = events.organisation AND r.document = events.subject)`;
			for (const { organisation, sequence, facts } of yield* statement<EventFacts>(sql).all(after, last)) {
				const erased = JSON.stringify({ ...JSON.parse(facts), customId: null });
				yield* statement("UPDATE events SET facts = ? WHERE organisation = ? AND sequence = ?").run(erased, organisation, sequence);
			}
			return last;
		}),

		/** Deletes cached responses of the language model, which may quote deleted documents. @returns how many. */
		eraseModelAnswers: repeatable(function* ({ expiringBefore, limit }: { expiringBefore: Date; limit: number }): Program<number> {
			const sql = "DELETE FROM records WHERE rowid IN (SELECT rowid FROM records WHERE kind = 'model-answer' AND expires_at < ? LIMIT ?)";
			return (yield* statement(sql).run(expiringBefore.getTime(), limit)).changes;
		}),
	};
}

interface EventFacts {
	readonly organisation: string;
	readonly sequence: number;
	readonly facts: string;
}

/** Which of the blobs are needed: those of documents that exist or can be restored, and those named after a document that is still in progress. */
export function* blobsNeeded(
	{ statement }: Pick<SqlContext, "statement">,
	organisation: OrganisationId,
	keys: readonly string[],
): Program<ReadonlySet<string>> {
	const needed = new Set<string>();
	for (const key of keys) if ((yield* hasOwner({ statement }, organisation, key)) || (yield* isOfUnfinished(key))) needed.add(key);
	return needed;

	function* isOfUnfinished(key: string): Program<boolean> {
		const ids = key.split(/[._-]/).filter(isId);
		const sql = "SELECT 1 FROM documents WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) AND status <> 'done' AND status <> 'failed'";
		return (yield* statement(sql).get(organisation, JSON.stringify(ids))) !== null;
	}
}

/** Rows that are deleted in one write: about a millisecond. */
const batch = 500;
/** Fewer documents per write, because their chunks and memories are deleted with them. */
const documentsPerBatch = 10;

/**
 * Forgets expired memories. Deletes forgotten memories and removed documents that can no longer be restored, expired records, old events, and
 * old entries of the change logs. What removed organisations had is erased. @returns whether anything was deleted for good.
 * @param removeBlobs see `StoragePlugin.maintain`
 */
export async function sweepRows({ write }: Pick<SqlEngine, "write">, now: Date, signal: AbortSignal, removeBlobs?: BlobRemover): Promise<boolean> {
	const before = new Date(now.getTime() - limits.eventRetentionMs);
	while (!signal.aborted && (await write("sweepExpired", { now, limit: batch })) === batch);
	let hasForgotten = false;
	while (!signal.aborted && (await write("sweepForgotten", { now }))) hasForgotten = true;
	while (!signal.aborted && (await write("sweepRecords", { now, limit: batch })) === batch);
	const hasErased = await eraseRemovedOrganisations({ write }, signal);
	let removed = 0;
	for (let swept = documentsPerBatch; !signal.aborted && swept === documentsPerBatch; removed += swept) {
		const ended = await write("sweepRemovals", { now, limit: documentsPerBatch });
		swept = ended.removed;
		await removeBlobs?.(ended.blobs);
	}
	while (!signal.aborted && (await write("sweepTextChanges", { kept: changesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepScopeChanges", { kept: scopeChangesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepMemoryMoves", { kept: scopeChangesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepMemoryReturns", { kept: scopeChangesKept, limit: batch })) === batch);
	while (!signal.aborted && (await write("sweepEvents", { before, limit: batch })) === batch);
	return removed > 0 || hasForgotten || hasErased;
}
