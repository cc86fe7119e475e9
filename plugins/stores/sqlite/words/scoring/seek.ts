/** Finds a document number in postings, in leaps that double until they are past it: quick where the next one is near. */

/** @returns the first place from `from` on whose document number is not before the wanted. */
export function seek(documentNumbers: Uint32Array, from: number, wanted: number): number {
	let low = from;
	let leap = 1;
	while (low + leap < documentNumbers.length && (documentNumbers[low + leap] ?? 0) < wanted) {
		low += leap;
		leap *= 2;
	}
	let high = Math.min(documentNumbers.length, low + leap + 1);
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((documentNumbers[middle] ?? 0) < wanted) low = middle + 1;
		else high = middle;
	}
	return low;
}
