/** Lists the keys of the vectors in a scope, step by step, on a connection of its own. */

import { yieldIfDue } from "cairn-memory/words";
import type { ScopedRows } from "../../sql/scopes/scope-sql.ts";
import { openReads, type Reads } from "../threads/reads.ts";
import type { PartitionAddress } from "./partition-address.ts";
import { scopeKeys } from "./vector-tables.ts";

/** How many steps are taken between two looks at the clock, because a step takes only a few microseconds. */
const stepsBetweenLooks = 256;

/**
 * While a statement is stepped through, its connection sees the database as it was when the statement began, in every other statement
 * too. So lists are read here, one after another, and never on the connection for searches.
 */
export class KeyLister {
	readonly #reads: Reads;
	#last: Promise<unknown> = Promise.resolve();

	constructor(file: string) {
		this.#reads = openReads(file);
	}

	/** @returns null if there are more than `countMax`. */
	list(address: PartitionAddress, scope: ScopedRows, countMax: number): Promise<readonly number[] | null> {
		const listed = this.#last.then(() => this.#read(address, scope, countMax));
		this.#last = listed.catch(() => undefined);
		return listed;
	}

	close(): void {
		this.#reads.close();
	}

	async #read(address: PartitionAddress, scope: ScopedRows, countMax: number): Promise<readonly number[] | null> {
		const { statement, params } = scopeKeys(this.#reads.connection(), address, scope);
		const keys: number[] = [];
		try {
			for (const row of statement.iterate(...params)) {
				if (keys.length === countMax) return null;
				keys.push((row as { readonly key: number }).key);
				const pause = keys.length % stepsBetweenLooks === 0 ? yieldIfDue() : null;
				if (pause !== null) await pause;
			}
			return keys;
		} finally {
			statement.finalize();
		}
	}
}
