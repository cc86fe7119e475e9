/** The profile store: the current memories of a container and their buckets. */

import type { Memory, OrganisationId } from "cairn-memory";
import type { Moment, ProfilePart, ProfileStore, Sorted } from "cairn-memory/stores";
import { type Program, repeatable, type SqlContext, type SqlEngine } from "../executor.ts";
import { memories } from "../schema.ts";
import { atMoment } from "../scopes/scope-sql.ts";
import { columnList } from "../table-rows.ts";
import { evidenceColumn, type MemoryRow, memoryOf } from "./memory-rows.ts";

export function profileOperations({ statement }: SqlContext) {
	return {
		sortMemories: repeatable(function* ({
			organisation,
			sorting,
			sorted,
		}: {
			organisation: OrganisationId;
			sorting: string;
			sorted: readonly Sorted[];
		}): Program<void> {
			const bucketList = JSON.stringify(sorted.map(({ memory, buckets }) => [memory, buckets]));
			const named = "(SELECT value ->> 0 FROM json_each(?2))";
			yield* statement(`DELETE FROM memory_buckets WHERE organisation = ?1 AND memory IN ${named}`).run(organisation, bucketList);
			yield* statement(
				`INSERT INTO memory_buckets (organisation, container_tag, bucket, created_at, memory)
					SELECT m.organisation, m.container_tag, b.value, m.created_at, m.id FROM json_each(?2) j CROSS JOIN json_each(j.value, '$[1]') b
					CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = j.value ->> 0 ON CONFLICT DO NOTHING`,
			).run(organisation, bucketList);
			yield* statement(`UPDATE memories SET sorting = ?3 WHERE organisation = ?1 AND id IN ${named}`).run(organisation, bucketList, sorting);
		}),
	};
}

const columns = `${columnList(memories, "m")}, ${evidenceColumn}`;
/** Written exactly as in the partial indexes, so that SQLite uses them. */
const current = "m.is_latest = 1 AND m.is_forgotten = 0";
const alive = "(m.forget_after IS NULL OR m.forget_after > ?)";
const newestFirst = "ORDER BY m.created_at DESC, m.key DESC LIMIT ?";

/**
 * Selects memories with any other sorting than these: the ranges of the index between the names, which are sorted. With OR, SQLite would
 * scan all memories of the container.
 */
function otherSortings(names: number): string {
	const name = (i: number) => `?${4 + i}`;
	const between = Array.from({ length: names - 1 }, (_, i) => `m.sorting > ${name(i)} AND m.sorting < ${name(i + 1)}`);
	const ranges = names === 0 ? ["TRUE"] : ["m.sorting IS NULL", `m.sorting < ${name(0)}`, ...between, `m.sorting > ${name(names - 1)}`];
	return ranges
		.map((range) => `SELECT m.key FROM memories m WHERE m.organisation = ?1 AND m.container_tag = ?2 AND ${current} AND ${range}`)
		.join(" UNION ALL ");
}

const parts = { static: "m.is_static = 1", dynamic: "m.is_static = 0", inferred: "m.is_inference = 1" } as const satisfies Record<ProfilePart, string>;

export function profileStore(organisation: OrganisationId, { statement, read, write }: SqlEngine): ProfileStore {
	/** The newest memories at an earlier moment, along the index of the container. */
	function* recentAt(containerTag: string, part: ProfilePart, limit: number, moment: Moment): Program<readonly Memory[]> {
		const condition = atMoment(moment);
		const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ? AND m.container_tag = ? AND ${parts[part]} AND ${condition.sql} ${newestFirst}`;
		return (yield* statement<MemoryRow>(sql).all(organisation, containerTag, ...condition.params, limit)).map(memoryOf);
	}

	return {
		recent: async (containerTag, part, limit, now, moment) => {
			if (moment !== undefined) return await read(recentAt(containerTag, part, limit, moment));
			const sql = `SELECT ${columns} FROM memories m WHERE m.organisation = ? AND m.container_tag = ? AND ${parts[part]} AND ${current} AND ${alive} ${newestFirst}`;
			return (await read(statement<MemoryRow>(sql).all(organisation, containerTag, now.getTime(), limit))).map(memoryOf);
		},
		inBucket: async (containerTag, sortings, bucket, limit, now) => {
			const sql = `SELECT ${columns} FROM memory_buckets b CROSS JOIN memories m ON m.organisation = b.organisation AND m.id = b.memory
				WHERE b.organisation = ? AND b.container_tag = ? AND b.bucket = ? AND m.sorting IN (SELECT value FROM json_each(?)) AND ${current} AND ${alive}
				ORDER BY b.created_at DESC, b.memory DESC LIMIT ?`;
			return (await read(statement<MemoryRow>(sql).all(organisation, containerTag, bucket, JSON.stringify(sortings), now.getTime(), limit))).map(memoryOf);
		},
		unsorted: async (containerTag, sortings, limit) => {
			const names = [...new Set(sortings)].sort();
			// The keys are chosen in a subquery, because SQLite reads all columns of every row that it sorts.
			const chosen = `SELECT m.key FROM memories m WHERE m.key IN (${otherSortings(names.length)}) ORDER BY m.created_at DESC, m.key DESC LIMIT ?3`;
			const sql = `SELECT ${columns} FROM memories m WHERE m.key IN (${chosen}) ORDER BY m.created_at DESC, m.key DESC`;
			return (await read(statement<MemoryRow>(sql).all(organisation, containerTag, limit, ...names))).map(memoryOf);
		},
		sort: (sorting, sorted) => write("sortMemories", { organisation, sorting, sorted }),
	};
}
