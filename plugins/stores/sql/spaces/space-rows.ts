/** What the tables say about vector spaces. */

import type { OrganisationId, SpaceState } from "cairn-memory";
import type { Executor } from "../executor.ts";
import type { spaceState } from "../schema.ts";
import type { TextKind } from "./lacking-texts.ts";

type Statement = Executor["statement"];
type Row = Omit<typeof spaceState.$inferSelect, "isAtEnd"> & { readonly isAtEnd: number };

export interface SpacePartition {
	readonly kind: TextKind;
	readonly organisation: OrganisationId;
	readonly space: string;
}

export function spaceStateOf(statement: Statement): SpaceState {
	const sql = `SELECT active, previous, next, reached_chunk AS reachedChunk, reached_memory AS reachedMemory, written, share, is_at_end AS isAtEnd FROM space_state`;
	const row = statement<Row>(sql).get();
	if (row === null) throw new Error("the row of space_state is missing");
	const { active, previous, next, reachedChunk, reachedMemory, written, share, isAtEnd } = row;
	return { active, previous, next, reached: { chunk: reachedChunk, memory: reachedMemory }, written, share, isAtEnd: isAtEnd === 1 };
}

/** Every organisation with vectors, once for each of its spaces. Jumps along the index: the cost is by what is found, not by the vectors. */
export function spaceNames(statement: Statement): readonly SpacePartition[] {
	const partitions: SpacePartition[] = [];
	for (const [kind, table] of [["chunk", "chunk_vectors"] as const, ["memory", "memory_vectors"] as const]) {
		const sql = `SELECT organisation, space FROM ${table} WHERE (organisation, space) > (?, ?) ORDER BY organisation, space LIMIT 1`;
		const next = statement<Omit<SpacePartition, "kind">>(sql);
		for (let partition = next.get("", ""); partition; partition = next.get(partition.organisation, partition.space)) partitions.push({ kind, ...partition });
	}
	return partitions;
}
