/** A checksum over rows that does not depend on their order, so that each storage may read them as is best for it. */

import { createHash } from "node:crypto";
import type { Row } from "../../core/plugin/contract/row-tools.ts";

export interface Sum {
	readonly rows: number;
	/** The sum of the first 64 bits of the SHA-256 of each row, modulo 2⁶⁴, as 16 hexadecimal digits. */
	readonly checksum: string;
}

export const nothing: Sum = { rows: 0, checksum: "0".repeat(16) };

export function sumOf(rows: readonly Row[]): Sum {
	let sum = 0n;
	for (const row of rows) sum += createHash("sha256").update(written(row)).digest().readBigUInt64BE();
	return { rows: rows.length, checksum: digits(sum) };
}

export function added(left: Sum, right: Sum): Sum {
	return { rows: left.rows + right.rows, checksum: digits(numberOf(left) + numberOf(right)) };
}

export function subtracted(left: Sum, right: Sum): Sum {
	return { rows: left.rows - right.rows, checksum: digits(numberOf(left) - numberOf(right)) };
}

/** The row as both storages read it: numbers as JSON has them, bytes in base64. */
function written(row: Row): string {
	return JSON.stringify(
		row.map((cell) => (cell instanceof Uint8Array ? [Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString("base64")] : cell)),
	);
}

function digits(value: bigint): string {
	return BigInt.asUintN(64, value).toString(16).padStart(16, "0");
}

function numberOf({ checksum }: Sum): bigint {
	return BigInt(`0x${checksum}`);
}
