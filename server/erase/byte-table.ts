/**
 * Finds any of many byte sequences in a file in one pass (the Rabin–Karp algorithm). A rolling hash of as many bytes as the shortest
 * sequence has tells where a sequence may be. Only there, for each length that a sequence with this hash has, the bytes are looked up in a
 * map, so that thousands of sequences with one beginning cost no more than their different lengths.
 */

export interface Needle {
	readonly kind: "stretch" | "word" | "text";
	readonly bytes: Uint8Array;
	/** What a text is called in the proof; several names if several texts are searched for as the same bytes. Empty for a piece. */
	readonly labels: readonly string[];
	/** Whether the remaining data contains it too. Then finding it does not show that erased data is left. */
	isShared: boolean;
}

export interface NeedleTable {
	/** @param needle at least as long as the table's `length`. @returns false if the table contains it already; it gets the other one's labels then */
	readonly add: (needle: Needle) => boolean;
	/** Calls `onFound` for every needle in the bytes, with its offset. */
	readonly scan: (bytes: Uint8Array, onFound: (needle: Needle, offset: number) => void) => void;
	readonly needles: () => Iterable<Needle>;
}

const hashBase = 0x01000193;
/** The size of a bit filter in front of the map. Most hashes belong to no needle, and the filter rejects them quickly. */
const filterBits = 2 ** 24;

/** @param length the number of bytes of a needle that are hashed */
export function createNeedleTable(length: number): NeedleTable {
	const lengthsByHash = new Map<number, number[]>();
	/** The bytes as Latin-1. */
	const needlesByBytes = new Map<string, Needle>();
	const filter = new Uint8Array(filterBits / 8);
	let highestPower = 1;
	for (let i = 1; i < length; i++) highestPower = Math.imul(highestPower, hashBase);

	return {
		add: (needle) => {
			const key = textOf(needle.bytes);
			const same = needlesByBytes.get(key);
			if (same !== undefined) {
				if (needle.labels.length > 0) needlesByBytes.set(key, { ...same, labels: [...new Set([...same.labels, ...needle.labels])] });
				return false;
			}
			needlesByBytes.set(key, needle);
			let hash = 0;
			for (let i = 0; i < length; i++) hash = (Math.imul(hash, hashBase) + (needle.bytes[i] ?? 0)) | 0;
			const lengths = lengthsByHash.get(hash);
			if (lengths === undefined) lengthsByHash.set(hash, [needle.bytes.length]);
			else if (!lengths.includes(needle.bytes.length)) lengths.push(needle.bytes.length);
			const bit = filterBitOf(hash);
			filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
			return true;
		},
		scan: (bytes, onFound) => {
			let hash = 0;
			for (let i = 0; i < bytes.length; i++) {
				if (i >= length) hash = (hash - Math.imul(bytes[i - length] ?? 0, highestPower)) | 0;
				hash = (Math.imul(hash, hashBase) + (bytes[i] ?? 0)) | 0;
				if (i < length - 1) continue;
				const bit = filterBitOf(hash);
				if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
				const offset = i - length + 1;
				for (const bytesLong of lengthsByHash.get(hash) ?? []) {
					const needle = offset + bytesLong > bytes.length ? undefined : needlesByBytes.get(textOf(bytes, offset, offset + bytesLong));
					if (needle !== undefined) onFound(needle, offset);
				}
			}
		},
		needles: () => needlesByBytes.values(),
	};
}

/** Mixes the bits of a hash: its low bits depend only on the last bytes. */
function filterBitOf(hash: number): number {
	return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8;
}

function textOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", from, to);
}
