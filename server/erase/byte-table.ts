/** Finds any of many byte sequences in a file, in one pass: a rolling sum over as many bytes as the shortest of them tells where to compare. */

export interface Needle {
	readonly kind: "stretch" | "word";
	readonly bytes: Uint8Array;
	/** It is also in what stays: then it proves nothing. */
	isShared: boolean;
}

export interface ByteTable {
	/** @param needle at least as long as the table says. @returns false when it is there already */
	readonly add: (needle: Needle) => boolean;
	readonly scan: (bytes: Uint8Array, found: (needle: Needle, at: number) => void) => void;
	readonly needles: () => Iterable<Needle>;
}

const base = 0x01000193;
/** A bit for each place that a sum may fall on: most sums are of nothing, and need no look into the map. */
const filterBits = 2 ** 24;

/** @param length of the part of a needle that is summed */
export function byteTable(length: number): ByteTable {
	const bySum = new Map<number, Needle[]>();
	const filter = new Uint8Array(filterBits / 8);
	let top = 1;
	for (let i = 1; i < length; i++) top = Math.imul(top, base);

	return {
		add: (needle) => {
			let sum = 0;
			for (let i = 0; i < length; i++) sum = (Math.imul(sum, base) + (needle.bytes[i] ?? 0)) | 0;
			const others = bySum.get(sum);
			if (others?.some((other) => isEqualAt(needle.bytes, 0, other.bytes) && other.bytes.length === needle.bytes.length)) return false;
			if (others === undefined) bySum.set(sum, [needle]);
			else others.push(needle);
			const bit = spread(sum);
			filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
			return true;
		},
		scan: (bytes, found) => {
			let sum = 0;
			for (let i = 0; i < bytes.length; i++) {
				if (i >= length) sum = (sum - Math.imul(bytes[i - length] ?? 0, top)) | 0;
				sum = (Math.imul(sum, base) + (bytes[i] ?? 0)) | 0;
				if (i < length - 1) continue;
				const bit = spread(sum);
				if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
				const at = i - length + 1;
				for (const needle of bySum.get(sum) ?? []) if (isEqualAt(bytes, at, needle.bytes)) found(needle, at);
			}
		},
		needles: function* () {
			for (const needles of bySum.values()) yield* needles;
		},
	};
}

/** The low bits of a sum know only the last bytes. */
function spread(sum: number): number {
	return Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> 8;
}

function isEqualAt(bytes: Uint8Array, at: number, needle: Uint8Array): boolean {
	if (at + needle.length > bytes.length) return false;
	for (let i = 0; i < needle.length; i++) if (bytes[at + i] !== needle[i]) return false;
	return true;
}
