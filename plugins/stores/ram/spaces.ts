/** Vector spaces in RAM. All texts are looked at each time: a place among them says nothing here. */

import {
	type EmbeddingSpaceStore,
	indexedTextOf,
	type LackingText,
	type MadeVector,
	type OrganisationId,
	type SpaceProgress,
	type SpaceState,
} from "cairn-memory";
import { type AllTables, type StoredChunk, type StoredMemory, type Tables, vectorIn } from "./tables.ts";

const begun: SpaceProgress = { reached: { chunk: 0, memory: 0 }, written: 0, share: 0, isAtEnd: false };

export function ramSpaces(organisations: AllTables): EmbeddingSpaceStore {
	let state: SpaceState = { active: null, previous: null, next: null, ...begun };

	function lackingIn(space: string): readonly LackingText[] {
		return [...organisations].flatMap(([organisation, tables]) =>
			textsOf(tables)
				.filter(({ id, stored }) => vectorIn(space, stored, id, tables) === null)
				.map(({ kind, id, text }) => ({ kind, organisation, id, text })),
		);
	}

	return {
		state: async () => state,
		names: async () => [...new Set([...organisations.values()].flatMap((tables) => [...spacesIn(tables)]))].toSorted(),
		organisations: async (space, limit) => [...organisations].flatMap(([id, tables]) => (spacesIn(tables).has(space) ? [id] : [])).slice(0, limit),
		plan: async (active, next) => {
			const previous = state.active === active ? state.previous : state.active;
			state = { ...state, active, previous, next, ...(state.next === next ? {} : begun) };
		},
		advance: async (space, progress) => {
			if (state.next === space) state = { ...state, ...progress };
		},
		lacking: async (space, after, limit) => {
			const all = lackingIn(space);
			return { texts: all.slice(0, limit), reached: after, share: 1 / (1 + all.length), isAtEnd: all.length <= limit };
		},
		backfill: async (space, vectors) => {
			for (const made of vectors) backfillOne(space.name, made, organisations);
		},
		switchTo: async (space, lackingMax) => {
			if (state.next !== space || lackingIn(space).length > lackingMax) return false;
			state = { ...state, active: space, previous: state.active, next: null };
			return true;
		},
		drop: async (space, limit) => {
			if (space === state.active || space === state.next) return 0;
			return [...organisations.values()].reduce((dropped, tables) => dropped + dropIn(tables, space, limit - dropped), 0);
		},
	};
}

function textsOf({ published, staged, memories }: Tables) {
	const chunks = [...published.values(), ...[...staged.values()].map((each) => each.chunks)].flat();
	return [
		...chunks.map((stored) => ({ kind: "chunk" as const, id: stored.chunk.id, text: stored.chunk.indexedText, stored })),
		...[...memories.values()].map((stored) => ({ kind: "memory" as const, id: stored.memory.id, text: indexedTextOf(stored.memory), stored })),
	];
}

function spacesIn(tables: Tables): ReadonlySet<string> {
	const texts = textsOf(tables);
	const spaces = [...texts.map(({ stored }) => stored.space), ...texts.flatMap(({ id }) => [...(tables.furtherVectors.get(id)?.keys() ?? [])])];
	return new Set(spaces.filter((space) => space !== ""));
}

function backfillOne(space: string, { organisation, kind, id, vector }: MadeVector, organisations: ReadonlyMap<OrganisationId, Tables>): void {
	const tables = organisations.get(organisation);
	const found = tables && textsOf(tables).find((text) => text.kind === kind && text.id === id);
	if (tables === undefined || found === undefined || vectorIn(space, found.stored, id, tables) !== null) return;
	const further = tables.furtherVectors.get(id) ?? new Map();
	tables.furtherVectors.set(id, further.set(space, vector.slice()));
}

function dropIn(tables: Tables, space: string, limit: number): number {
	let dropped = 0;
	/** A text keeps its place for the vector that it came with; without one it is of no space. */
	const emptied = <Stored extends StoredChunk | StoredMemory>(stored: Stored): Stored => {
		if (stored.space !== space || dropped >= limit) return stored;
		dropped++;
		return { ...stored, space: "", vector: new Float32Array() };
	};
	for (const [id, chunks] of tables.published) tables.published.set(id, chunks.map(emptied));
	for (const [id, { revision, chunks }] of tables.staged) tables.staged.set(id, { revision, chunks: chunks.map(emptied) });
	for (const [id, memory] of tables.memories) tables.memories.set(id, emptied(memory));
	for (const vectors of tables.furtherVectors.values()) if (dropped < limit && vectors.delete(space)) dropped++;
	return dropped;
}
