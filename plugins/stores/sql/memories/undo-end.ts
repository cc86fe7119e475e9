/**
 * When forgotten memories can no longer be restored: one rule for whoever restores them, for the maintenance that deletes what a client wrote
 * of them, and for documents that come back later. Their batch is a record of kind `removal`, whose expiry was set when they were forgotten.
 * Once the maintenance has ended a batch, each of its memories that is left, or is set aside with a document, has an absence `final`.
 */

/** Whether memory `memory` has been forgotten by hand, without a break, since `at`, the time of a batch, or longer. One that had expired before has not. */
export const isForgottenSince = (memory: string, at: string) =>
	`EXISTS (SELECT 1 FROM memory_absences a WHERE a.organisation = ?1 AND a.memory = ${memory} AND a.kind = 'forgotten' AND a.ends IS NULL
		AND a.begins <= ${at} AND NOT EXISTS (SELECT 1 FROM memories e WHERE e.organisation = ?1 AND e.id = a.memory AND e.forget_after <= a.begins))`;

/** Whether the maintenance has ended the undo period of a memory. */
export const isFinal = (memory: string) =>
	`EXISTS (SELECT 1 FROM memory_absences a WHERE a.organisation = ?1 AND a.memory = ${memory} AND a.kind = 'final' AND a.ends IS NULL)`;

/** Batches whose undo period is over, as `r`. The maintenance has not yet ended them. */
export const endedBatches = (now: string) => `r.kind = 'removal' AND r.expires_at <= ${now}`;

/** Whether a memory can no longer be restored. Records of earlier versions lack `at` and end nothing. The batches are read once for all memories. */
export const hasEnded = (
	memory: string,
	now: string,
) => `(${isFinal(memory)} OR ${memory} IN (SELECT i.value FROM records r CROSS JOIN json_each(r.value ->> 'ids') i
	WHERE r.organisation = ?1 AND ${endedBatches(now)} AND ${isForgottenSince("i.value", "CAST(r.value ->> 'at' AS BIGINT)")}))`;
