/** Returns a typed array of twice the length with the same beginning, so that an array that grows by one is rarely copied. */

type Numbers = Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

export function doubled<Kind extends Numbers>(numbers: Kind): Kind {
	const Kind = numbers.constructor as new (length: number) => Kind;
	const grown = new Kind(numbers.length * 2);
	grown.set(numbers);
	return grown;
}
