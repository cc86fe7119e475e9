/** The tables of queries for the scan by signs: for each four dimensions the sums of its numbers with each of the sixteen combinations of signs. */

/** The largest sum, because four of them are added in one byte. */
const sumMax = 63;
/** The largest total of a vector, because it is added up in a signed 16-bit number. */
const totalMax = 32_767;
/** The least sum that is looked for, in eight bits: there is room above it, so that few sums on their way reach the greatest one. */
const signedLeast = 80;
/** The least sum is at least so many standard deviations of random signs. */
const deviationsMin = 2.5;
/** Bytes of the tables of eight queries for sixteen dimensions. */
export const eightTablesBytes = 512;

/**
 * The sums as whole numbers from 0 on, all on one scale; 16 bytes for each four dimensions.
 * @param groups of sixteen dimensions; missing dimensions of the query count as 0.
 */
export function signTables(query: Int8Array, groups: number): Uint8Array {
	const tables = new Uint8Array(groups * 64);
	const magnitudes = magnitudesOf(query, groups);
	const scale = scaleOf(magnitudes);
	const sums = new Float64Array(16);
	for (let table = 0; table < magnitudes.length; table++) {
		addSigns(query, table * 4, magnitudes[table] ?? 0, sums);
		for (let signs = 0; signs < 16; signs++) tables[table * 16 + signs] = (sums[signs] ?? 0) * scale + 0.5;
	}
	return tables;
}

/**
 * Writes the tables of a query for `scanEight`: what the signs are worth, less where they are against the query. The scale is the finest at
 * which the sums that matter fit into eight bits.
 * @param least the least sum by `signTables` that is looked for. @param into the tables of all eight queries. @returns the same sum by these tables.
 */
export function writeSignedTables(query: Int8Array, groups: number, least: number, into: Int8Array, place: number): number {
	const magnitudes = magnitudesOf(query, groups);
	const product = (2 * least) / scaleOf(magnitudes) - magnitudes.reduce((sum, magnitude) => sum + magnitude, 0);
	const scale = signedLeast / Math.max(product, deviationsMin * Math.hypot(...query), 1);
	const sums = new Float64Array(16);
	for (let table = 0; table < magnitudes.length; table++) {
		const magnitude = magnitudes[table] ?? 0;
		addSigns(query, table * 4, magnitude, sums);
		const at = (table >> 2) * eightTablesBytes + place * 64 + (table & 3) * 16;
		for (let signs = 0; signs < 16; signs++) into[at + signs] = clamp(Math.round((2 * (sums[signs] ?? 0) - magnitude) * scale));
	}
	return clamp(Math.floor(product * scale));
}

/** Fills `sums` for four dimensions: all are halved and start from the lowest one; each positive sign adds its number. */
function addSigns(query: Int8Array, first: number, magnitude: number, sums: Float64Array): void {
	let least = magnitude;
	for (let i = first; i < first + 4; i++) least -= query[i] ?? 0;
	sums[0] = least / 2;
	for (let signs = 1; signs < 16; signs++) {
		const lowest = 31 - Math.clz32(signs & -signs);
		sums[signs] = (sums[signs & (signs - 1)] ?? 0) + (query[first + lowest] ?? 0);
	}
}

/** For each four dimensions the greatest number that their signs can be worth. */
function magnitudesOf(query: Int8Array, groups: number): Float64Array {
	const magnitudes = new Float64Array(groups * 4);
	for (let i = 0; i < query.length; i++) magnitudes[i >> 2] = (magnitudes[i >> 2] ?? 0) + Math.abs(query[i] ?? 0);
	return magnitudes;
}

function scaleOf(magnitudes: Float64Array): number {
	const widest = magnitudes.reduce((most, magnitude) => Math.max(most, magnitude), 1);
	return Math.min(sumMax, Math.floor(totalMax / magnitudes.length)) / widest;
}

function clamp(value: number): number {
	return Math.max(-127, Math.min(127, value));
}
