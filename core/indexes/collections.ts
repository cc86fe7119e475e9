/** The collections of a vector index: one for each organisation, embedding space and kind of text, and how far each has come. */

import type { Digest } from "../language/fingerprint.ts";
import type { OrganisationId } from "../model/id.ts";
import type { EmbeddingSpace } from "../model/vector.ts";
import type { VectorCollection, VectorIndex } from "../plugin/contract.ts";

export interface CollectionAddress {
	readonly organisation: OrganisationId;
	readonly space: EmbeddingSpace;
	readonly kind: "chunk" | "memory";
}

export interface CollectionState {
	/** All changes up to here are in it; null for none. */
	position: string | null;
	/** Whether more is missing than a search looks at itself, or the index has failed. */
	isBehind: boolean;
	/** Rises whenever it is dropped: what was found before and what is noted afterwards do not belong together. */
	generation: number;
	/** Null until something is put into it. */
	collection: VectorCollection | null;
}

export interface Collections {
	readonly state: (address: CollectionAddress) => Promise<CollectionState>;
	/** Opens it, and makes it where it is missing. */
	readonly opened: (address: CollectionAddress) => Promise<VectorCollection>;
	/** Forgets what it holds. Searches that are under way notice. */
	readonly drop: (address: CollectionAddress) => Promise<void>;
	/** Drops all collections but these. */
	readonly keepOnly: (addresses: readonly CollectionAddress[]) => Promise<void>;
}

export function createCollections(index: VectorIndex, digest: Digest): Collections {
	const states = new Map<string, Promise<CollectionState>>();
	let known: Promise<Set<string>> | null = null;

	function nameOf({ organisation, space, kind }: CollectionAddress): string {
		return `${kind}-${digest(`${organisation} ${space.dimensions} ${space.name}`).slice(0, 40)}`;
	}

	/** Those that there are. What could not be read is asked for again. */
	function names(): Promise<Set<string>> {
		known ??= index.names().then((found) => new Set(found));
		known.catch(() => {
			known = null;
		});
		return known;
	}

	async function load(address: CollectionAddress): Promise<CollectionState> {
		const name = nameOf(address);
		if (!(await names()).has(name)) return { position: null, isBehind: false, generation: 0, collection: null };
		const collection = await index.open(name, address.space.dimensions);
		return { position: await collection.position(), isBehind: false, generation: 0, collection };
	}

	function state(address: CollectionAddress): Promise<CollectionState> {
		const name = nameOf(address);
		const found = states.get(name) ?? load(address);
		states.set(name, found);
		found.catch(() => states.delete(name));
		return found;
	}

	return {
		state,
		opened: async (address) => {
			const known = await state(address);
			if (known.collection !== null) return known.collection;
			const name = nameOf(address);
			known.collection = await index.open(name, address.space.dimensions);
			(await names()).add(name);
			return known.collection;
		},
		drop: async (address) => {
			const known = await state(address);
			known.generation++;
			known.position = null;
			known.collection = null;
			await index.drop(nameOf(address));
			(await names()).delete(nameOf(address));
		},
		keepOnly: async (addresses) => {
			const wanted = new Set(addresses.map(nameOf));
			const all = await names();
			for (const name of all) {
				if (wanted.has(name)) continue;
				states.delete(name);
				await index.drop(name);
				all.delete(name);
			}
		},
	};
}
