/** What indexes are fed from, in RAM. Nothing is logged: what was told is remembered, and compared with what is there. */

import { type Changed, type EmbeddingSpace, type IndexSource, indexedTextOf, type SourceChanges, type TextSource, type VectorSource } from "cairn-memory";
import { documentInScope, passesMemoryFilter } from "./in-scope.ts";
import { publishedChunks, type StoredChunk, type StoredMemory, type Tables, vectorIn } from "./tables.ts";

/** Tags by id, as they were told under a position. */
type Told = ReadonlyMap<string, string>;

/** So many positions are remembered, those that were asked about last. */
const toldMax = 64;

export function ramVectorSource(tables: Tables, space: EmbeddingSpace): VectorSource {
	return indexSource(tables, (stored, id) => {
		const vector = vectorIn(space.name, stored, id, tables);
		return vector === null ? null : { vector };
	});
}

export function ramTextSource(tables: Tables): TextSource {
	return indexSource(tables, (stored) => ({ text: "chunk" in stored ? stored.chunk.indexedText : indexedTextOf(stored.memory) }));
}

function indexSource<Content>(tables: Tables, contentOf: (stored: StoredChunk | StoredMemory, id: string) => Content | null): IndexSource<Content> {
	const chunks = () =>
		[...publishedChunks(tables)].flatMap((stored) => {
			const { id, document, position } = stored.chunk;
			const content = contentOf(stored, id);
			return content === null ? [] : [{ ...content, id, document, position, of: stored.of, containerTags: stored.of.containerTags }];
		});
	const memories = () =>
		[...tables.memories.values()].flatMap((stored) => {
			const { memory } = stored;
			const content = contentOf(stored, memory.id);
			return content === null ? [] : [{ ...content, id: memory.id, memory, containerTags: [memory.containerTag] }];
		});
	return {
		chunksIn: async (ids, scope) => {
			const wanted = new Set(ids);
			return chunks().filter(({ id, of }) => wanted.has(id) && documentInScope(of, scope));
		},
		memoriesIn: async (ids, memoryFilter) => {
			const wanted = new Set(ids);
			return memories().filter(({ id, memory }) => wanted.has(id) && passesMemoryFilter(memory, memoryFilter, tables));
		},
		listChunks: async (scope, most) => {
			const ids = [...publishedChunks(tables)].flatMap(({ chunk, of }) => (documentInScope(of, scope) ? [chunk.id] : []));
			return ids.length > most ? null : ids;
		},
		listMemories: async (memoryFilter, most) => {
			const ids = [...tables.memories.values()].flatMap(({ memory }) => (passesMemoryFilter(memory, memoryFilter, tables) ? [memory.id] : []));
			return ids.length > most ? null : ids;
		},
		changesSince: async (kind, position, limit) => {
			const told: Told | undefined = position === null ? new Map() : tables.indexed.get(position);
			if (told === undefined) return null;
			if (position !== null && tables.indexed.delete(position)) tables.indexed.set(position, told);
			return tell<Content>(kind === "chunk" ? chunks() : memories(), told, limit, tables.indexed);
		},
	};
}

function tell<Content>(there: readonly Changed<Content>[], told: Told, limit: number, known: Map<string, Told>): SourceChanges<Content> {
	const changed = there.filter(({ id, containerTags }) => told.get(id) !== JSON.stringify(containerTags));
	const put = changed.slice(0, limit);
	const ids = new Set(there.map(({ id }) => id));
	const now = new Map([...told].filter(([id]) => ids.has(id)));
	for (const { id, containerTags } of put) now.set(id, JSON.stringify(containerTags));
	const position = String(1 + Math.max(0, ...[...known.keys()].map(Number)));
	known.set(position, now);
	const [oldest] = known.keys();
	if (known.size > toldMax && oldest !== undefined) known.delete(oldest);
	return { put, gone: [...told.keys()].filter((id) => !ids.has(id)), position, isAtEnd: put.length === changed.length };
}
