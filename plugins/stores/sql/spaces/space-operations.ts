/** Writes about vector spaces: the plan, the vectors of a space that is being made, and the switch. */

import type { OrganisationId, SpaceProgress } from "cairn-memory";
import type { Executor } from "../executor.ts";
import { durable, repeatable } from "../operation.ts";
import { countLacking, type TextKind } from "./lacking-texts.ts";
import { type PackedVectors, vectorAt } from "./packed-vectors.ts";
import { spaceNames, spaceStateOf } from "./space-rows.ts";

export interface BackfillArgs {
	readonly space: string;
	readonly texts: readonly { readonly kind: TextKind; readonly organisation: OrganisationId; readonly id: string }[];
	readonly vectors: PackedVectors;
}

const tables = {
	chunk: { vectors: "chunk_vectors", owner: "chunk", texts: "chunks" },
	memory: { vectors: "memory_vectors", owner: "memory", texts: "memories" },
} as const;

export function spaceOperations({ statement }: Executor) {
	return {
		planSpaces: durable(({ active, next }: { active: string; next: string | null }): void => {
			const known = spaceStateOf(statement);
			const previous = known.active === active ? known.previous : known.active;
			statement("UPDATE space_state SET active = ?, previous = ?, next = ?").run(active, previous, next);
			if (known.next !== next) statement("UPDATE space_state SET reached_chunk = 0, reached_memory = 0, written = 0, share = 0, is_at_end = 0").run();
		}),

		advanceSpace: repeatable(({ space, progress }: { space: string; progress: SpaceProgress }): void => {
			const { reached, written, share, isAtEnd } = progress;
			const sql = "UPDATE space_state SET reached_chunk = ?, reached_memory = ?, written = ?, share = ?, is_at_end = ? WHERE next = ?";
			statement(sql).run(reached.chunk, reached.memory, written, share, Number(isAtEnd), space);
		}),

		backfillSpace: repeatable(({ space, texts, vectors }: BackfillArgs): void => {
			for (const [i, { kind, organisation, id }] of texts.entries()) {
				const { vectors: table, owner, texts: of } = tables[kind];
				const sql = `INSERT OR IGNORE INTO ${table} (organisation, space, ${owner}, vector)
					SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM ${of} WHERE organisation = ?1 AND id = ?3)`;
				statement(sql).run(organisation, space, id, vectorAt(vectors, i));
			}
		}),

		switchSpace: durable(({ space, lackingMax }: { space: string; lackingMax: number }): boolean => {
			const { next, active, reached } = spaceStateOf(statement);
			if (next !== space) return false;
			const most = lackingMax + 1;
			const lacking = countLacking(statement, "chunk", space, reached.chunk, most) + countLacking(statement, "memory", space, reached.memory, most);
			if (lacking > lackingMax) return false;
			statement("UPDATE space_state SET active = ?, previous = ?, next = NULL").run(space, active);
			return true;
		}),

		dropSpace: repeatable(({ space, limit }: { space: string; limit: number }): number => {
			const { active, next } = spaceStateOf(statement);
			if (space === active || space === next) return 0;
			let dropped = 0;
			for (const { kind, organisation } of spaceNames(statement).filter((partition) => partition.space === space)) {
				const { vectors } = tables[kind];
				const sql = `DELETE FROM ${vectors} WHERE key IN (SELECT key FROM ${vectors} WHERE organisation = ? AND space = ? LIMIT ?)`;
				dropped += statement(sql).run(organisation, space, limit - dropped).changes;
				if (dropped >= limit) break;
			}
			return dropped;
		}),
	};
}
