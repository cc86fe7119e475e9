/** Finds a document number in postings by galloping search: steps double until they are past it, so a near one is found quickly. */

/** @returns the first index from `from` on whose document number is at least the wanted one. */
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
