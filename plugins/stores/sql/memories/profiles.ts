/** The current memories of a container as its profile shows them, and their buckets. */

import type { Memory, Moment, OrganisationId, ProfilePart, ProfileStore, Sorted } from "cairn-memory";
import type { Executor, SqlEngine } from "../executor.ts";
import { repeatable } from "../executor.ts";
import { memories } from "../schema.ts";
import { atMoment } from "../scopes/scope-sql.ts";
import { columnList } from "../table-rows.ts";
import { evidenceColumn, type MemoryRow, memoryOf } from "./memory-rows.ts";

export function profileOperations({ statement }: Executor) {
	return {
		sortMemories: repeatable(({ organisation, sorting, sorted }: { organisation: OrganisationId; sorting: string; sorted: readonly Sorted[] }): void => {
			const list = JSON.stringify(sorted.map(({ memory, buckets }) => [memory, buckets]));
			const named = "(SELECT value ->> 0 FROM json_each(?2))";
			statement(`DELETE FROM memory_buckets WHERE organisation = ?1 AND memory IN ${named}`).run(organisation, list);
			statement(
				`INSERT OR IGNORE INTO memory_buckets (organisation, container_tag, bucket, created_at, memory)
					SELECT m.organisation, m.container_tag, b.value, m.created_at, m.id FROM json_each(?2) j CROSS JOIN json_each(j.value, '$[1]') b
					CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = j.value ->> 0`,
			).run(organisation, list);
			statement(`UPDATE memories SET sorting = ?3 WHERE organisation = ?1 AND id IN ${named}`).run(organisation, list, sorting);
		}),
	};
}

const columns = `${columnList(memories, "m")}, ${evidenceColumn}`;
/** Spelled out, as the indexes have it. */
const current = "m.is_latest = 1 AND m.is_forgotten = 0";
const alive = "(m.forget_after IS NULL OR m.forget_after > ?)";
const newestFirst = "ORDER BY m.created_at DESC, m.key DESC LIMIT ?";

/** The ranges of one index between so many names in their order; where all are sorted they are empty. With OR, SQLite would go through all memories of the container. */
function otherSortings(names: number): string {
	const name = (i: number) => `?${4 + i}`;
	const between = Array.from({ length: names - 1 }, (_, i) => `m.sorting > ${name(i)} AND m.sorting < ${name(i + 1)}`);
	const ranges = names === 0 ? ["1"] : ["m.sorting IS NULL", `m.sorting < ${name(0)}`, ...between, `m.sorting > ${name(names - 1)}`];
	return ranges
		.map((range) => `SELECT m.key FROM memories m WHERE m.organisation = ?1 AND m.container_tag = ?2 AND ${current} AND ${range}`)
		.join(" UNION ALL ");
}

const parts = { static: "m.is_static = 1", dynamic: "m.is_static = 0", inferred: "m.is_inference = 1" } as const satisfies Record<ProfilePart, string>;

export function profileStore(organisation: OrganisationId, { statement, write }: SqlEngine): ProfileStore {
	/** Newest first along the index of the container, until there are enough. */
	function recentThen(containerTag: string, part: ProfilePart, limit: number, moment: Moment): readonly Memory[] {
		const then = atMoment(moment);
		const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ? AND m.container_tag = ? AND ${parts[part]} AND ${then.sql} ${newestFirst}`;
		return statement<MemoryRow>(sql)
			.all(organisation, containerTag, ...then.params, limit)
			.map(memoryOf);
	}

	return {
		recent: async (containerTag, part, limit, now, moment) => {
			if (moment !== undefined) return recentThen(containerTag, part, limit, moment);
			const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ? AND m.container_tag = ? AND ${parts[part]} AND ${current} AND ${alive} ${newestFirst}`;
			return statement<MemoryRow>(sql).all(organisation, containerTag, now.getTime(), limit).map(memoryOf);
		},
		inBucket: async (containerTag, sortings, bucket, limit, now) => {
			const sql = `SELECT ${columns} FROM memory_buckets b CROSS JOIN memories m ON m.organisation = b.organisation AND m.id = b.memory
				WHERE b.organisation = ? AND b.container_tag = ? AND b.bucket = ? AND m.sorting IN (SELECT value FROM json_each(?)) AND ${current} AND ${alive}
				ORDER BY b.created_at DESC, b.memory DESC LIMIT ?`;
			return statement<MemoryRow>(sql).all(organisation, containerTag, bucket, JSON.stringify(sortings), now.getTime(), limit).map(memoryOf);
		},
		unsorted: async (containerTag, sortings, limit) => {
			const names = [...new Set(sortings)].sort();
			// Chosen before anything is read of them: SQLite fills in all columns of all that it sorts.
			const chosen = `SELECT m.key FROM memories m WHERE m.key IN (${otherSortings(names.length)}) ORDER BY m.created_at DESC, m.key DESC LIMIT ?3`;
			const sql = `SELECT ${columns} FROM memories m WHERE m.key IN (${chosen}) ORDER BY m.created_at DESC, m.key DESC`;
			return statement<MemoryRow>(sql)
				.all(organisation, containerTag, limit, ...names)
				.map(memoryOf);
		},
		sort: (sorting, sorted) => write("sortMemories", { organisation, sorting, sorted }),
	};
}
