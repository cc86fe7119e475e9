/** A list of numbers that grows without holding each as an object: half a gigabyte of words has tens of millions. */

interface Growing {
	readonly push: (value: number) => void;
	readonly at: (place: number) => number;
	readonly length: () => number;
	/** Sets the length back; what was behind it is forgotten. */
	readonly cut: (length: number) => void;
	/** A copy of all of it. */
	readonly values: () => Uint32Array<ArrayBuffer>;
}

export function createGrowing(): Growing {
	let values = new Uint32Array(1_024);
	let length = 0;
	return {
		push: (value) => {
			if (length === values.length) {
				const larger = new Uint32Array(length * 2);
				larger.set(values);
				values = larger;
			}
			values[length++] = value;
		},
		at: (place) => values[place] ?? 0,
		length: () => length,
		cut: (to) => {
			length = Math.min(length, to);
		},
		values: () => values.slice(0, length),
	};
}
