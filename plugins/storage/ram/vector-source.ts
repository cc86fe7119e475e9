/** What vector indexes are fed from, in RAM. Nothing is logged: what was told is remembered, and compared with what is there. */

import type { ChangedVector, EmbeddingSpace, SourceChanges, VectorSource } from "cairn-memory";
import { documentInScope, passesMemoryFilter } from "./in-scope.ts";
import { publishedChunks, type Tables, vectorIn } from "./tables.ts";

/** Tags by id, as they were told under a position. */
type Told = ReadonlyMap<string, string>;

/** So many positions are remembered, those that were asked about last. */
const toldMax = 64;

export function ramVectorSource(tables: Tables, space: EmbeddingSpace): VectorSource {
	const chunks = () =>
		[...publishedChunks(tables)].flatMap(({ chunk: { id, document, position }, of, ...stored }) => {
			const vector = vectorIn(space.name, stored, id, tables);
			return vector === null ? [] : [{ id, document, position, of, vector, containerTags: of.containerTags }];
		});
	const memories = () =>
		[...tables.memories.values()].flatMap(({ memory, ...stored }) => {
			const vector = vectorIn(space.name, stored, memory.id, tables);
			return vector === null ? [] : [{ id: memory.id, memory, vector, containerTags: [memory.containerTag] }];
		});
	return {
		chunksIn: async (ids, scope) => chunks().filter(({ id, of }) => ids.includes(id) && documentInScope(of, scope)),
		memoriesIn: async (ids, memoryFilter) => memories().filter(({ id, memory }) => ids.includes(id) && passesMemoryFilter(memory, memoryFilter, tables)),
		listChunks: async (scope, most) =>
			atMost(
				most,
				[...publishedChunks(tables)].flatMap(({ chunk, of }) => (documentInScope(of, scope) ? [chunk.id] : [])),
			),
		listMemories: async (memoryFilter, most) =>
			atMost(
				most,
				[...tables.memories.values()].flatMap(({ memory }) => (passesMemoryFilter(memory, memoryFilter, tables) ? [memory.id] : [])),
			),
		changesSince: async (kind, position, limit) => {
			const told: Told | undefined = position === null ? new Map() : tables.vectorsTold.get(position);
			if (told === undefined) return null;
			if (position !== null && tables.vectorsTold.delete(position)) tables.vectorsTold.set(position, told);
			const there: readonly ChangedVector[] = kind === "chunk" ? chunks() : memories();
			return tell(there, told, limit, tables.vectorsTold);
		},
	};
}

function atMost<Id>(most: number, ids: readonly Id[]): readonly Id[] | null {
	return ids.length > most ? null : ids;
}

function tell(there: readonly ChangedVector[], told: Told, limit: number, known: Map<string, Told>): SourceChanges {
	const changed = there.filter(({ id, containerTags }) => told.get(id) !== JSON.stringify(containerTags));
	const put = changed.slice(0, limit).map(({ id, vector, containerTags }) => ({ id, vector, containerTags }));
	const ids = new Set(there.map(({ id }) => id));
	const now = new Map([...told].filter(([id]) => ids.has(id)));
	for (const { id, containerTags } of put) now.set(id, JSON.stringify(containerTags));
	const position = String(1 + Math.max(0, ...[...known.keys()].map(Number)));
	known.set(position, now);
	const [oldest] = known.keys();
	if (known.size > toldMax && oldest !== undefined) known.delete(oldest);
	return { put, gone: [...told.keys()].filter((id) => !ids.has(id)), position, isAtEnd: put.length === changed.length };
}
