/**
 * Finds any of many byte sequences in a file in one pass (the Rabin–Karp algorithm). A rolling hash of as many bytes as the shortest
 * sequence has tells where a sequence may be, and only there bytes are compared.
 */

export interface Needle {
	readonly kind: "stretch" | "word" | "text";
	readonly bytes: Uint8Array;
	/** What a text is called in the proof. Absent for a piece. */
	readonly label?: string;
	/** Whether the remaining data contains it too. Then finding it does not show that erased data is left. */
	isShared: boolean;
}

export interface NeedleTable {
	/** @param needle at least as long as the table's `length`. @returns false if the table contains it already */
	readonly add: (needle: Needle) => boolean;
	/** Calls `found` for every needle in the bytes, with its offset. */
	readonly scan: (bytes: Uint8Array, onFound: (needle: Needle, offset: number) => void) => void;
	readonly needles: () => Iterable<Needle>;
}

const hashBase = 0x01000193;
/** The size of a bit filter in front of the map. Most hashes belong to no needle, and the filter rejects them quickly. */
const filterBits = 2 ** 24;

/** @param length the number of bytes of a needle that are hashed */
export function createNeedleTable(length: number): NeedleTable {
	const needlesByHash = new Map<number, Needle[]>();
	const filter = new Uint8Array(filterBits / 8);
	let highestPower = 1;
	for (let i = 1; i < length; i++) highestPower = Math.imul(highestPower, hashBase);

	return {
		add: (needle) => {
			let hash = 0;
			for (let i = 0; i < length; i++) hash = (Math.imul(hash, hashBase) + (needle.bytes[i] ?? 0)) | 0;
			const sameHash = needlesByHash.get(hash);
			if (sameHash?.some((other) => isEqualAt(needle.bytes, 0, other.bytes) && other.bytes.length === needle.bytes.length)) return false;
			if (sameHash === undefined) needlesByHash.set(hash, [needle]);
			else sameHash.push(needle);
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
				for (const needle of needlesByHash.get(hash) ?? []) if (isEqualAt(bytes, offset, needle.bytes)) onFound(needle, offset);
			}
		},
		needles: function* () {
			for (const needles of needlesByHash.values()) yield* needles;
		},
	};
}

/** Mixes the bits of a hash: its low bits depend only on the last bytes. */
function filterBitOf(hash: number): number {
	return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8;
}

function isEqualAt(bytes: Uint8Array, offset: number, needle: Uint8Array): boolean {
	if (offset + needle.length > bytes.length) return false;
	for (let i = 0; i < needle.length; i++) if (bytes[offset + i] !== needle[i]) return false;
	return true;
}
