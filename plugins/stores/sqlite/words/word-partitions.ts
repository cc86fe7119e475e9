/** The word indexes that were searched lately, as many as memory allows. */

import { type WordAddress, wordAddressKey } from "./word-address.ts";
import { WordPartition, type WordPartitionContext } from "./word-partition.ts";

/** What all may hold together; then those that were not used longest are closed, and opened again when needed. One always stays. */
const bytesMax = 256 * 2 ** 20;
/** Each has a file mapped. */
const partitionsMax = 500;

export class WordPartitions {
	/** The one used last comes last. */
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
		this.#makeSpace();
		return partition;
	}

	/** A search that is under way in a partition that is closed here keeps it until it ends. */
	#makeSpace(): void {
		let bytes = 0;
		for (const partition of this.#partitions.values()) bytes += partition.byteLength;
		for (const [key, partition] of this.#partitions) {
			if ((bytes <= bytesMax && this.#partitions.size <= partitionsMax) || this.#partitions.size === 1) return;
			bytes -= partition.byteLength;
			this.#partitions.delete(key);
		}
	}
}
