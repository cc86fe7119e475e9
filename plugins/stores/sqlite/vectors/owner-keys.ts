/**
 * A cache of the keys of chunks' vectors. A vector never changes under its key, so the key is looked up once. By its key a vector is
 * read with one look-up, by the id of its chunk with three.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { keysOf } from "./vector-tables.ts";

/** About 100 bytes per key. When the cache is full it is emptied, and keys that are still needed are looked up again. */
const keysMax = 200_000;

export class OwnerKeys {
	readonly #address: PartitionAddress;
	readonly #keys = new Map<string, number>();

	constructor(address: PartitionAddress) {
		this.#address = address;
	}

	/** The keys of those chunks that have a vector. The caller has to check whether the vector still exists. */
	of(db: Connection, ids: readonly string[]): ReadonlyMap<string, number> {
		const unknown = ids.filter((id) => !this.#keys.has(id));
		if (this.#keys.size + unknown.length > keysMax) this.#keys.clear();
		if (unknown.length > 0) this.lookUp(db, this.#keys.size === 0 ? ids : unknown);
		const keys = new Map<string, number>();
		for (const id of ids) {
			const key = this.#keys.get(id);
			if (key !== undefined) keys.set(id, key);
		}
		return keys;
	}

	/** Looks keys up again: a vector that was removed and stored again has another key. */
	lookUp(db: Connection, ids: readonly string[]): void {
		for (const id of ids) this.#keys.delete(id);
		for (const { id, key } of keysOf(db, this.#address, ids)) this.#keys.set(id, key);
	}
}
