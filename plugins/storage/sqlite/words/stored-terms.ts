/** Strings in a file, sorted by the bytes of their UTF-8, each known by its place. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class StoredTerms {
	readonly count: number;
	readonly #offsets: Uint32Array;
	readonly #bytes: Uint8Array;

	/** @param offsets one more than there are strings. */
	constructor(offsets: Uint32Array, bytes: Uint8Array) {
		this.count = offsets.length - 1;
		this.#offsets = offsets;
		this.#bytes = bytes;
	}

	/** In UTF-8. */
	bytes(number: number): Uint8Array {
		return this.#bytes.subarray(this.#offsets[number], this.#offsets[number + 1]);
	}

	text(number: number): string {
		return decoder.decode(this.bytes(number));
	}

	/** -1 when it is not there. */
	find(term: string): number {
		const wanted = encoder.encode(term);
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const order = Buffer.compare(this.bytes(middle), wanted);
			if (order === 0) return middle;
			if (order < 0) low = middle + 1;
			else high = middle;
		}
		return -1;
	}
}
