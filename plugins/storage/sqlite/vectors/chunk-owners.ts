/**
 * Which chunks vectors belong to, and which of them a search of a whole organisation may see. What a chunk is never changes
 * as long as its vector is there, so it is read once; which edition of a document is published holds until something is
 * committed. A search then reads the vectors of its candidates and little else: joining both tables took twice as long.
 */

import type { Connection } from "../connection.ts";
import type { RoomAddress } from "./room-address.ts";
import { type ChunkOwner, editionsOf, ownersOf } from "./vector-tables.ts";

/** About 150 bytes each. Past this all are forgotten, and those that are still asked for are read again. */
const ownersMax = 200_000;

export class ChunkOwners {
	readonly #address: RoomAddress;
	/** By the key of the vector. */
	readonly #owners = new Map<number, ChunkOwner>();
	/** By document; null for one that is gone or shows nothing. */
	readonly #editions = new Map<string, number | null>();
	/** The state of the database that the editions show. */
	#epoch = -1;

	constructor(address: RoomAddress) {
		this.#address = address;
	}

	/** Those of the keys that have an owner. Whether the vector itself is still there is for the caller to find out. */
	of(db: Connection, keys: readonly number[]): ReadonlyMap<number, ChunkOwner> {
		const found = new Map<number, ChunkOwner>();
		const unknown: number[] = [];
		for (const key of keys) {
			const owner = this.#owners.get(key);
			if (owner === undefined) unknown.push(key);
			else found.set(key, owner);
		}
		if (unknown.length === 0) return found;
		if (this.#owners.size + unknown.length > ownersMax) this.#owners.clear();
		for (const owner of ownersOf(db, this.#address, unknown)) {
			this.#owners.set(owner.key, owner);
			found.set(owner.key, owner);
		}
		return found;
	}

	/** The published edition of each document. @param epoch the state of the database, taken before. */
	editions(db: Connection, documents: Iterable<string>, epoch: number): ReadonlyMap<string, number | null> {
		if (epoch !== this.#epoch) this.#editions.clear();
		this.#epoch = epoch;
		const unknown = new Set<string>();
		for (const document of documents) if (!this.#editions.has(document)) unknown.add(document);
		if (unknown.size === 0) return this.#editions;
		for (const document of unknown) this.#editions.set(document, null);
		for (const { id, edition } of editionsOf(db, this.#address, [...unknown])) this.#editions.set(id, edition);
		return this.#editions;
	}
}
