/** Embedding spaces: which one is active, which texts still lack a vector in the next one, its vectors, and the switch to it. */

import type { OrganisationId } from "cairn-memory";
import type { EmbeddingSpaceStore, LackingText, SpaceProgress, SpaceState } from "cairn-memory/stores";
import { durable, type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";
import type { spaceState } from "./schema.ts";
import { type PackedVectors, packVectors, vectorAt } from "./vectors.ts";

type Statement = SqlContext["statement"];
type Row = Omit<typeof spaceState.$inferSelect, "isAtEnd"> & { readonly isAtEnd: number };

export interface SpacePartition {
	readonly kind: TextKind;
	readonly organisation: OrganisationId;
	readonly space: string;
}

export function* spaceStateOf(statement: Statement): Program<SpaceState> {
	const sql = `SELECT active, previous, next, reached_chunk AS reachedChunk, reached_memory AS reachedMemory, written, share, is_at_end AS isAtEnd FROM space_state`;
	const row = yield* statement<Row>(sql).get();
	if (row === null) throw new Error("the row of space_state is missing");
	const { active, previous, next, reachedChunk, reachedMemory, written, share, isAtEnd } = row;
	return { active, previous, next, reached: { chunk: reachedChunk, memory: reachedMemory }, written, share, isAtEnd: isAtEnd === 1 };
}

/** Every organisation with vectors, once per space. The query jumps along the index, so its cost grows with the results and not with the vectors. */
export function* spaceNames(statement: Statement): Program<readonly SpacePartition[]> {
	const partitions: SpacePartition[] = [];
	for (const [kind, table] of [["chunk", "chunk_vectors"] as const, ["memory", "memory_vectors"] as const]) {
		const sql = `SELECT organisation, space FROM ${table} WHERE (organisation, space) > (?, ?) ORDER BY organisation, space LIMIT 1`;
		const next = statement<Omit<SpacePartition, "kind">>(sql);
		for (let partition = yield* next.get("", ""); partition; partition = yield* next.get(partition.organisation, partition.space))
			partitions.push({ kind, ...partition });
	}
	return partitions;
}

/** The commonest length of a few vectors, since one of them may be damaged. */
const comparedMax = 20;

function* dimensionsOf(statement: Statement, space: string, organisation: OrganisationId): Program<number | null> {
	for (const { vectors } of Object.values(tables)) {
		const sql = `SELECT length(v.vector) AS bytes FROM (SELECT vector FROM ${vectors}
			WHERE organisation = ? AND space = ? LIMIT ${comparedMax}) v GROUP BY length(v.vector) ORDER BY count(*) DESC, bytes LIMIT 1`;
		const row = yield* statement<{ readonly bytes: number }>(sql).get(organisation, space);
		if (row !== null) return row.bytes / Float32Array.BYTES_PER_ELEMENT;
	}
	return null;
}

export interface LackingRow {
	readonly key: number;
	readonly organisation: OrganisationId;
	readonly id: string;
	readonly text: string;
}

/** The rows of texts without a vector. Chunks that are about to be deleted are invisible and need none. */
const lackingFrom = {
	chunk: `chunks t WHERE NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.organisation = t.organisation AND v.chunk = t.id AND v.space = ?1)
		AND NOT EXISTS (SELECT 1 FROM discarded_editions d WHERE d.organisation = t.organisation AND d.document = t.document AND d.edition = t.edition)`,
	memory: "memories t WHERE NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.organisation = t.organisation AND v.memory = t.id AND v.space = ?1)",
} as const;

export type TextKind = keyof typeof lackingFrom;

/** Texts without a vector in a space, in the order of their keys. Readers ask page by page, and the writer asks before it switches. */
export function lackingRows(statement: Statement, kind: TextKind, space: string, after: number, upTo: number, limit: number): Program<readonly LackingRow[]> {
	const sql = `SELECT t.key AS key, t.organisation AS organisation, t.id AS id, coalesce(t.indexed_text, t.text) AS text FROM ${lackingFrom[kind]}
		AND t.key > ?2 AND t.key <= ?3 ORDER BY t.key LIMIT ?4`;
	return statement<LackingRow>(sql).all(space, after, upTo, limit);
}

/** Counts the texts without a vector, up to `most`. */
export function* countLacking(statement: Statement, kind: TextKind, space: string, after: number, most: number): Program<number> {
	const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${lackingFrom[kind]} AND t.key > ?2 LIMIT ?3)`;
	return (yield* statement<{ count: number }>(sql).get(space, after, most))?.count ?? 0;
}

/** The key of the newest text. */
export function* lastKey(statement: Statement, kind: TextKind): Program<number> {
	return (yield* statement<{ key: number | null }>(`SELECT max(key) AS key FROM ${kind === "chunk" ? "chunks" : "memories"}`).get())?.key ?? 0;
}

export interface BackfillArgs {
	readonly space: string;
	readonly texts: readonly { readonly kind: TextKind; readonly organisation: OrganisationId; readonly id: string }[];
	readonly vectors: PackedVectors;
}

const tables = {
	chunk: { vectors: "chunk_vectors", owner: "chunk", texts: "chunks" },
	memory: { vectors: "memory_vectors", owner: "memory", texts: "memories" },
} as const;

export function spaceOperations({ statement }: SqlContext) {
	return {
		planSpaces: durable(function* ({ active, next }: { active: string; next: string | null }): Program<void> {
			const current = yield* spaceStateOf(statement);
			const previous = current.active === active ? current.previous : current.active;
			yield* statement("UPDATE space_state SET active = ?, previous = ?, next = ?").run(active, previous, next);
			if (current.next !== next) yield* statement("UPDATE space_state SET reached_chunk = 0, reached_memory = 0, written = 0, share = 0, is_at_end = 0").run();
		}),

		advanceSpace: repeatable(function* ({ space, progress }: { space: string; progress: SpaceProgress }): Program<void> {
			const { reached, written, share, isAtEnd } = progress;
			const sql = "UPDATE space_state SET reached_chunk = ?, reached_memory = ?, written = ?, share = ?, is_at_end = ? WHERE next = ?";
			yield* statement(sql).run(reached.chunk, reached.memory, written, share, Number(isAtEnd), space);
		}),

		backfillSpace: repeatable(function* ({ space, texts, vectors }: BackfillArgs): Program<void> {
			for (const [i, { kind, organisation, id }] of texts.entries()) {
				const { vectors: table, owner, texts: of } = tables[kind];
				const sql = `INSERT INTO ${table} (organisation, space, ${owner}, vector)
					SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM ${of} WHERE organisation = ?1 AND id = ?3) ON CONFLICT DO NOTHING`;
				yield* statement(sql).run(organisation, space, id, vectorAt(vectors, i));
			}
		}),

		switchSpace: durable(function* ({ space, lackingMax }: { space: string; lackingMax: number }): Program<boolean> {
			const { next, active, reached } = yield* spaceStateOf(statement);
			if (next !== space) return false;
			const most = lackingMax + 1;
			const lacking =
				(yield* countLacking(statement, "chunk", space, reached.chunk, most)) + (yield* countLacking(statement, "memory", space, reached.memory, most));
			if (lacking > lackingMax) return false;
			yield* statement("UPDATE space_state SET active = ?, previous = ?, next = NULL").run(space, active);
			return true;
		}),

		dropSpace: repeatable(function* ({ space, limit }: { space: string; limit: number }): Program<number> {
			const { active, next } = yield* spaceStateOf(statement);
			if (space === active || space === next) return 0;
			let dropped = 0;
			for (const { kind, organisation } of (yield* spaceNames(statement)).filter((partition) => partition.space === space)) {
				const { vectors } = tables[kind];
				const sql = `DELETE FROM ${vectors} WHERE key IN (SELECT key FROM ${vectors} WHERE organisation = ? AND space = ? LIMIT ?)`;
				dropped += (yield* statement(sql).run(organisation, space, limit - dropped)).changes;
				if (dropped >= limit) break;
			}
			return dropped;
		}),
	};
}

/** How many keys one call checks: 5 ms if none of the texts lacks a vector. */
const keysPerCall = 5_000;
/** Vectors per write: about 5 ms, so that other writes do not wait long. */
const vectorsPerWrite = 100;

export function spaceStore({ statement, read, write }: SqlEngine): EmbeddingSpaceStore {
	return {
		state: () => read(spaceStateOf(statement)),
		names: async () => [...new Set((await read(spaceNames(statement))).map(({ space }) => space))].toSorted(),
		dimensionsOf: (space, organisation) => read(dimensionsOf(statement, space, organisation)),
		organisations: async (space, limit) => {
			const inSpace = (await read(spaceNames(statement))).filter((partition) => partition.space === space);
			return [...new Set(inSpace.map(({ organisation }) => organisation))].slice(0, limit);
		},
		plan: (active, next) => write("planSpaces", { active, next }),
		advance: (space, progress) => write("advanceSpace", { space, progress }),
		lacking: async (space, after, limit) => {
			const texts: LackingText[] = [];
			const reached = { ...after };
			const last = { chunk: 0, memory: 0 };
			for (const kind of ["chunk", "memory"] as const) {
				last[kind] = await read(lastKey(statement, kind));
				if (texts.length >= limit) continue;
				const upTo = Math.min(after[kind] + keysPerCall, last[kind]);
				const found = await read(lackingRows(statement, kind, space, after[kind], upTo, limit - texts.length));
				reached[kind] = texts.length + found.length < limit ? Math.max(after[kind], upTo) : (found.at(-1)?.key ?? after[kind]);
				texts.push(...found.map(({ organisation, id, text }) => ({ kind, organisation, id, text })));
			}
			const all = last.chunk + last.memory;
			const share = all === 0 ? 1 : Math.min(1, (Math.min(reached.chunk, last.chunk) + Math.min(reached.memory, last.memory)) / all);
			return { texts, reached, share, isAtEnd: reached.chunk >= last.chunk && reached.memory >= last.memory };
		},
		backfill: async (space, embedded) => {
			for (let start = 0; start < embedded.length; start += vectorsPerWrite) {
				const part = embedded.slice(start, start + vectorsPerWrite);
				const vectors = packVectors(part.map(({ vector }) => vector));
				const texts = part.map(({ kind, organisation, id }) => ({ kind, organisation, id }));
				await write("backfillSpace", { space: space.name, texts, vectors }, [vectors.bytes.buffer]);
			}
		},
		switchTo: (space, lackingMax) => write("switchSpace", { space, lackingMax }),
		drop: (space, limit) => write("dropSpace", { space, limit }),
	};
}
