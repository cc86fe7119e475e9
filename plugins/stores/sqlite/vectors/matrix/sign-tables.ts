/** The tables of a query for the scan by signs: for each four dimensions the sums of its numbers with each of the sixteen combinations of signs. */

/** The largest sum, because four of them are added in one byte. */
const sumMax = 63;
/** The largest total of a vector, because it is added up in a signed 16-bit number. */
const totalMax = 32_767;

/**
 * The sums as whole numbers from 0 on, all on one scale; 16 bytes for each four dimensions.
 * @param groups of sixteen dimensions; missing dimensions of the query count as 0.
 */
export function signTables(query: Int8Array, groups: number): Uint8Array {
	const tables = new Uint8Array(groups * 64);
	const tableCount = groups * 4;
	const magnitudes = new Float64Array(tableCount);
	for (let i = 0; i < query.length; i++) magnitudes[i >> 2] = (magnitudes[i >> 2] ?? 0) + Math.abs(query[i] ?? 0);
	const widest = magnitudes.reduce((most, magnitude) => Math.max(most, magnitude), 1);
	const scale = Math.min(sumMax, Math.floor(totalMax / tableCount)) / widest;
	const sums = new Float64Array(16);
	for (let table = 0; table < tableCount; table++) {
		const first = table * 4;
		let least = magnitudes[table] ?? 0;
		for (let i = first; i < first + 4; i++) least -= query[i] ?? 0;
		// All sums are halved and start from the lowest one; each positive sign adds its number.
		sums[0] = least / 2;
		for (let signs = 1; signs < 16; signs++) {
			const lowest = 31 - Math.clz32(signs & -signs);
			sums[signs] = (sums[signs & (signs - 1)] ?? 0) + (query[first + lowest] ?? 0);
		}
		for (let signs = 0; signs < 16; signs++) tables[table * 16 + signs] = (sums[signs] ?? 0) * scale + 0.5;
	}
	return tables;
}
