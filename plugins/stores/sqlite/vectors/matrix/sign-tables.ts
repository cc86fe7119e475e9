/** What signs are worth to a query: for each four dimensions the sums of its numbers under all sixteen ways to sign them. */

/** Four such sums are added up in one byte. */
const sumMax = 63;
/** All of a vector's are added up in a number of 16 bits with a sign. */
const totalMax = 32_767;

/** As whole numbers from 0 on, all on one scale; 16 bytes for each four dimensions. @param groups of sixteen dimensions; what the query lacks counts nothing */
export function signTables(query: Int8Array, groups: number): Uint8Array {
	const tables = new Uint8Array(groups * 64);
	const places = groups * 4;
	const reaches = new Float64Array(places);
	for (let i = 0; i < query.length; i++) reaches[i >> 2] = (reaches[i >> 2] ?? 0) + Math.abs(query[i] ?? 0);
	const widest = reaches.reduce((most, reach) => Math.max(most, reach), 1);
	const scale = Math.min(sumMax, Math.floor(totalMax / places)) / widest;
	const sums = new Float64Array(16);
	for (let place = 0; place < places; place++) {
		const first = place * 4;
		let least = reaches[place] ?? 0;
		for (let i = first; i < first + 4; i++) least -= query[i] ?? 0;
		// Half of everything: from the least of all on, each sign that is positive adds its number.
		sums[0] = least / 2;
		for (let signs = 1; signs < 16; signs++) {
			const lowest = 31 - Math.clz32(signs & -signs);
			sums[signs] = (sums[signs & (signs - 1)] ?? 0) + (query[first + lowest] ?? 0);
		}
		for (let signs = 0; signs < 16; signs++) tables[place * 16 + signs] = (sums[signs] ?? 0) * scale + 0.5;
	}
	return tables;
}
