/** What has happened to texts is written down for the word indexes, by triggers and when memories come back; and forgotten here. */

import type { Connection } from "./connection.ts";
import { repeatable } from "./operation.ts";

export function textChangeOperations({ statement }: Connection) {
	return {
		/** All but the newest `kept`. A few at a time. @returns how many went. */
		sweepTextChanges: repeatable(({ kept, limit }: { kept: number; limit: number }): number => {
			const sql = `DELETE FROM text_changes WHERE sequence IN (SELECT sequence FROM text_changes
				WHERE sequence <= (SELECT seq FROM sqlite_sequence WHERE name = 'text_changes') - ? ORDER BY sequence LIMIT ?)`;
			return statement(sql).run(kept, limit).changes;
		}),
	};
}
