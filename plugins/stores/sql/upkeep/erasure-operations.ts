/** What is left of deleted documents in other tables, and the log of writes: a little at a time, see `eraseTraces`. */

import type { Executor } from "../executor.ts";
import { repeatable } from "../operation.ts";

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
