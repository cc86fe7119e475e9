/** `checksum(…)` in SQL: a number that changes when a bit of the values does. Indexes keep it for each row, so it never may be computed in another way. */

/** So many bits are exact in a number of JavaScript. */
const kept = 2n ** 53n - 1n;

type Value = string | number | bigint | Uint8Array | null;

export function checksum(...values: readonly Value[]): number {
	let sum = 0n;
	for (const value of values) sum = Bun.hash.xxHash64(value instanceof Uint8Array ? value : `${typeof value} ${value}`, sum);
	return Number(sum & kept);
}
