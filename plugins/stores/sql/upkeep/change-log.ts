/**
 * What has happened to texts, and to what scopes see of documents and memories, is written down for the indexes, by triggers and
 * when memories come back; and forgotten here.
 */

import type { Executor } from "../executor.ts";
import { repeatable } from "../operation.ts";

/** How many changes of texts stay written down, of all organisations together: an index that has missed more is made anew. */
export const changesKept = 200_000;
/** The same of what scopes see. Who has missed more lists his scopes anew. */
export const scopeChangesKept = 20_000;

interface Sweep {
	readonly kept: number;
	readonly limit: number;
}

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
