/** The collections of an index, and how up to date each is. There is one for each organisation, kind of text and, for vectors, embedding space. */

import type { Digest } from "../language/fingerprint.ts";
import type { OrganisationId } from "../model/id.ts";
import type { StoredSpace } from "../model/vector.ts";
import type { DerivedIndex, IndexCollection } from "../plugin/contract.ts";
import { analysisVersion } from "../ranking/words/count-words.ts";

export interface CollectionAddress {
	readonly organisation: OrganisationId;
	/** Null for words. */
	readonly space: StoredSpace | null;
	readonly kind: "chunk" | "memory";
}

export interface CollectionState<Collection = unknown> {
	/** It contains all changes up to this position of the change log; null if it is empty. */
	position: string | null;
	/** Whether searches should not use it for now: it lacks too many texts, or the last attempt to add them failed. */
	isBehind: boolean;
	/** Incremented whenever it is dropped, so that searches and feeds notice it. */
	generation: number;
	/** Null until something is put into it. */
	collection: Collection | null;
}

export interface Collections<Collection> {
	readonly state: (address: CollectionAddress) => Promise<CollectionState<Collection>>;
	/** Opens the collection, or creates it. */
	readonly open: (address: CollectionAddress) => Promise<Collection>;
	/** Deletes the collection. Running searches notice it. */
	readonly drop: (address: CollectionAddress) => Promise<void>;
	/** Reads again what another program may have changed. */
	readonly refresh: () => Promise<void>;
	/** The same for one collection; `isBehind` stays as it is. */
	readonly reload: (address: CollectionAddress) => Promise<void>;
	/** Drops all collections but these, and but those of an earlier analysis in whose place they come, until they are up to date. */
	readonly keepOnly: (addresses: readonly CollectionAddress[]) => Promise<void>;
}

interface LoadedState<Collection> {
	readonly address: CollectionAddress;
	readonly state: Promise<CollectionState<Collection>>;
}

/** @param analysis the version of what is made of a text for an index of words: collections of another one are dropped, and made anew under another name */
export function createCollections<Collection extends Pick<IndexCollection<never>, "position">>(
	index: DerivedIndex<Collection>,
	digest: Digest,
	analysis: number = analysisVersion,
): Collections<Collection> {
	const states = new Map<string, LoadedState<Collection>>();
	const digests = new Map<string, string>();
	let existing: Promise<Set<string>> | null = null;

	function nameOf(address: CollectionAddress, version = analysis): string {
		const digested = digestedOf(address, version);
		const hash = digests.get(digested) ?? digest(digested).slice(0, 40);
		digests.set(digested, hash);
		return `${address.kind}-${hash}`;
	}

	/** The names of the existing collections. A read that fails is repeated by the next call. */
	function names(): Promise<Set<string>> {
		existing ??= index.names().then((found) => new Set(found));
		existing.catch(() => {
			existing = null;
		});
		return existing;
	}

	const openNamed = (name: string, { space, organisation }: CollectionAddress) => index.open(name, space?.dimensions ?? 0, organisation);

	async function load(address: CollectionAddress): Promise<CollectionState<Collection>> {
		const name = nameOf(address);
		if (!(await names()).has(name)) return { position: null, isBehind: false, generation: 0, collection: null };
		const collection = await openNamed(name, address);
		return { position: await collection.position(), isBehind: false, generation: 0, collection };
	}

	function state(address: CollectionAddress): Promise<CollectionState<Collection>> {
		const name = nameOf(address);
		const known = states.get(name);
		if (known !== undefined) return known.state;
		const found = load(address);
		states.set(name, { address, state: found });
		found.catch(() => states.delete(name));
		return found;
	}

	/** Searches that run keep what they began with, and fail or notice the new generation. */
	async function readAgain(name: string, { address, state: loading }: LoadedState<Collection>): Promise<CollectionState<Collection>> {
		const [current, { position, collection }] = await Promise.all([loading, load(address)]);
		if (collection !== current.collection) current.generation++;
		Object.assign(current, { position, collection });
		if (collection === null) states.delete(name);
		return current;
	}

	/** The names of the collections of earlier analyses that servers of earlier versions search until the one in their place is up to date. */
	async function replacedNames(address: CollectionAddress): Promise<readonly string[]> {
		const current = await states.get(nameOf(address))?.state;
		if (address.space !== null || current?.isBehind === false) return [];
		return Array.from({ length: analysis - 1 }, (_, i) => nameOf(address, i + 1));
	}

	return {
		state,
		open: async (address) => {
			const current = await state(address);
			if (current.collection !== null) return current.collection;
			const name = nameOf(address);
			current.collection = await openNamed(name, address);
			(await names()).add(name);
			return current.collection;
		},
		drop: async (address) => {
			const current = await state(address);
			current.generation++;
			current.position = null;
			current.collection = null;
			try {
				await index.drop(nameOf(address));
			} finally {
				// Only now, because a search meanwhile would wait to read what is being dropped. If it is not dropped, say because another program feeds
				// it now, it is read again.
				states.delete(nameOf(address));
				existing = null;
			}
		},
		refresh: async () => {
			existing = null;
			for (const [name, loaded] of [...states]) (await readAgain(name, loaded)).isBehind = false;
		},
		reload: async (address) => {
			const name = nameOf(address);
			const loaded = states.get(name);
			if (loaded === undefined) return;
			// Another program may have made it. The names are not read for one that is known, because there may be thousands.
			if ((await loaded.state).collection === null) existing = null;
			await readAgain(name, loaded);
		},
		keepOnly: async (addresses) => {
			const wantedNames = new Set(addresses.map((address) => nameOf(address)));
			for (const address of addresses) for (const name of await replacedNames(address)) wantedNames.add(name);
			const wantedDigests = new Set(addresses.map((address) => digestedOf(address, analysis)));
			for (const digested of digests.keys()) if (!wantedDigests.has(digested)) digests.delete(digested);
			const all = await names();
			for (const name of all) {
				if (wantedNames.has(name)) continue;
				states.delete(name);
				await index.drop(name);
				all.delete(name);
			}
		},
	};
}

/** Collections of words had no version in their names before there was a second one. */
function digestedOf({ organisation, space }: CollectionAddress, analysis: number): string {
	if (space !== null) return `${organisation} ${space.dimensions} ${space.name}`;
	return analysis === 1 ? organisation : `${organisation} analysis ${analysis}`;
}
