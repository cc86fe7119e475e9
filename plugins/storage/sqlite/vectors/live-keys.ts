/**
 * Which vectors the tables hold. The matrix may know rows that are gone, and asking the tables for every candidate of every
 * search takes longer than finding it; what was seen holds until something is committed.
 */

import type { Connection } from "../connection.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { heldKeys } from "./vector-tables.ts";

export class LiveKeys {
	readonly #address: PartitionAddress;
	readonly #isHeld = new Map<number, boolean>();
	#epoch = -1;

	constructor(address: PartitionAddress) {
		this.#address = address;
	}

	/** @param epoch of the database, taken before */
	of(db: Connection, keys: readonly number[], epoch: number): ReadonlySet<number> {
		if (epoch !== this.#epoch) this.#isHeld.clear();
		this.#epoch = epoch;
		const unknown = keys.filter((key) => !this.#isHeld.has(key));
		for (const key of unknown) this.#isHeld.set(key, false);
		if (unknown.length > 0) for (const key of heldKeys(db, this.#address, unknown)) this.#isHeld.set(key, true);
		return new Set(keys.filter((key) => this.#isHeld.get(key) === true));
	}
}
