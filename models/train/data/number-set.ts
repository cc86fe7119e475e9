/** A set of whole numbers below 2⁵³ that takes eight bytes for each place: millions of shingles fit. Zero is never in it. */

export interface NumberSet {
	readonly add: (value: number) => void;
	readonly has: (value: number) => boolean;
	readonly size: () => number;
}

export function createNumberSet(): NumberSet {
	let places = new Float64Array(1 << 12);
	let size = 0;
	const placeOf = (value: number): number => {
		let at = (Math.imul((value % 0xffff_ffff) | 0, 0x9e3779b1) >>> 0) & (places.length - 1);
		while (places[at] !== 0 && places[at] !== value) at = (at + 1) & (places.length - 1);
		return at;
	};
	const grow = (): void => {
		const before = places;
		places = new Float64Array(before.length * 2);
		for (const value of before) if (value !== 0) places[placeOf(value)] = value;
	};
	return {
		add: (value) => {
			if (size * 2 >= places.length) grow();
			const at = placeOf(value);
			if (value === 0 || places[at] === value) return;
			places[at] = value;
			size++;
		},
		has: (value) => value !== 0 && places[placeOf(value)] === value,
		size: () => size,
	};
}
