/** The word indexes that were searched lately, within a limit of memory. */

import { type WordAddress, wordAddressKey } from "./word-address.ts";
import { WordPartition, type WordPartitionContext } from "./word-partition.ts";

/**
 * Memory of all indexes together. Beyond it the least recently used ones are closed, and opened again when they are needed. One always stays
 * open.
 */
const bytesMax = 256 * 2 ** 20;
/** The number of indexes is limited too, because each maps a file. */
const partitionsMax = 500;
/** So many indexes, the most recently used ones, are read ahead. With more, looking for new texts would take longer than reading them. */
const readAheadMax = 4;

export class WordPartitions {
	/** The least recently used index comes first. */
	readonly #partitions = new Map<string, WordPartition>();
	readonly #context: WordPartitionContext;

	constructor(context: WordPartitionContext) {
		this.#context = context;
	}

	partition(address: WordAddress): WordPartition {
		const key = wordAddressKey(address);
		const partition = this.#partitions.get(key) ?? new WordPartition(address, this.#context);
		this.#partitions.delete(key);
		this.#partitions.set(key, partition);
		this.#closeUnused();
		return partition;
	}

	/** Reads new texts into the indexes that were used last, before a search asks for them. */
	async readAhead(): Promise<void> {
		for (const partition of [...this.#partitions.values()].slice(-readAheadMax)) await partition.readAhead();
		this.#closeUnused();
	}

	/** Closes the least recently used indexes beyond the limits. A search in progress keeps its index until it ends. */
	#closeUnused(): void {
		let bytes = 0;
		for (const partition of this.#partitions.values()) bytes += partition.byteLength;
		for (const [key, partition] of this.#partitions) {
			if ((bytes <= bytesMax && this.#partitions.size <= partitionsMax) || this.#partitions.size === 1) return;
			bytes -= partition.byteLength;
			this.#partitions.delete(key);
		}
	}
}
