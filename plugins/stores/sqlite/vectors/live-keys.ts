/**
 * Which vectors the tables hold. The matrix may know rows that are gone, and asking the tables for every candidate of every
 * search takes longer than finding it; what was seen holds until something is committed.
 */

import type { Connection } from "../../sql/bun-connection.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { heldKeys } from "./vector-tables.ts";

/** About 40 bytes each. Past this all are forgotten, and those that are still asked for are looked up again. */
const keysMax = 200_000;

export class LiveKeys {
	readonly #address: PartitionAddress;
	readonly #isHeld = new Map<number, boolean>();
	#epoch = -1;

	constructor(address: PartitionAddress) {
		this.#address = address;
	}

	/** @param epoch of the database, taken before */
	of(db: Connection, keys: readonly number[], epoch: number): ReadonlySet<number> {
		if (epoch !== this.#epoch || this.#isHeld.size + keys.length > keysMax) this.#isHeld.clear();
		this.#epoch = epoch;
		const unknown = keys.filter((key) => !this.#isHeld.has(key));
		if (unknown.length > 0) {
			const held = new Set(heldKeys(db, this.#address, unknown));
			for (const key of unknown) this.#isHeld.set(key, held.has(key));
		}
		return new Set(keys.filter((key) => this.#isHeld.get(key) === true));
	}
}
