/** The three inner loops of the trainer in WebAssembly, four numbers at a time. Addresses and widths are in bytes. */

import {
	add,
	addFours,
	addNumbers,
	advance,
	below,
	type Code,
	constant,
	f32,
	fourOf,
	fourZeros,
	get,
	i32,
	laneOf,
	loadFour,
	loadInteger,
	loadNumber,
	multiply,
	multiplyFours,
	type Routine,
	set,
	storeFour,
	storeNumber,
	v128,
	whileTrue,
} from "./assembler.ts";

const block = 4;

/** `to[i] += factor × from[i]` over `bytes`, a multiple of 16. Locals 0–3 are parameters, 4 the end, 5 the factor in four. */
export const addScaled: Routine = {
	name: "addScaled",
	parameters: [i32, i32, i32, f32],
	locals: [i32, v128],
	body: [
		...[...get(0), ...get(2), ...add, ...set(4)],
		...[...get(3), ...fourOf, ...set(5)],
		...whileTrue(
			[...get(0), ...get(4), ...below],
			[
				...[...get(0), ...get(0), ...loadFour(), ...get(1), ...loadFour(), ...get(5), ...multiplyFours, ...addFours, ...storeFour()],
				...advance(0, constant(16)),
				...advance(1, constant(16)),
			],
		),
	],
};

/**
 * `to += Σ value × row[column]` over the entries of one sparse row: parameters are `to`, the first column number, the first
 * value, how many bytes of column numbers there are, the rows, and the bytes of a row. Locals: 6 end of entries, 7 the row,
 * 8 end of `to`, 9 walks `to`, 10 the value in four.
 */
export const gather: Routine = {
	name: "gather",
	parameters: [i32, i32, i32, i32, i32, i32],
	locals: [i32, i32, i32, i32, v128],
	body: [
		...[...get(1), ...get(3), ...add, ...set(6)],
		...[...get(0), ...get(5), ...add, ...set(8)],
		...whileTrue(
			[...get(1), ...get(6), ...below],
			[
				...[...get(4), ...get(1), ...loadInteger(), ...get(5), ...multiply, ...add, ...set(7)],
				...[...get(2), ...loadNumber(), ...fourOf, ...set(10)],
				...[...get(0), ...set(9)],
				...whileTrue(
					[...get(9), ...get(8), ...below],
					[
						...[...get(9), ...get(9), ...loadFour(), ...get(7), ...loadFour(), ...get(10), ...multiplyFours, ...addFours, ...storeFour()],
						...advance(9, constant(16)),
						...advance(7, constant(16)),
					],
				),
				...advance(1, constant(4)),
				...advance(2, constant(4)),
			],
		),
	],
};

/**
 * The inner products of four rows of `a` with four rows of `b`, `bytes` long each, stored at `to` with `stride` bytes from
 * line to line. Parameters: to, stride, a, b, bytes. Locals: 5 end of a, 6–9 rows of a, 10–13 rows of b, 14–29 the sums.
 */
export const innerProducts: Routine = {
	name: "innerProducts",
	parameters: [i32, i32, i32, i32, i32],
	locals: [i32, ...new Array<number>(8).fill(i32), ...new Array<number>(21).fill(v128)],
	body: [
		...[...get(2), ...get(4), ...add, ...set(5)],
		...rowAddresses(6, 2),
		...rowAddresses(10, 3),
		...each((i, j) => [...fourZeros, ...set(sumAt(i, j))]),
		...whileTrue(
			[...get(6), ...get(5), ...below],
			[
				...lines((i) => [...get(6 + i), ...loadFour(), ...set(30 + i)]),
				...lines((j) => [
					...[...get(10 + j), ...loadFour(), ...set(34)],
					...lines((i) => [...get(sumAt(i, j)), ...get(30 + i), ...get(34), ...multiplyFours, ...addFours, ...set(sumAt(i, j))]),
				]),
				...lines((i) => [...advance(6 + i, constant(16)), ...advance(10 + i, constant(16))]),
			],
		),
		...lines((i) => [...lines((j) => [...get(0), ...sumOfLanes(sumAt(i, j)), ...storeNumber(j * 4)]), ...advance(0, get(1))]),
	],
};

function rowAddresses(first: number, from: number): Code {
	return lines((i) => [...get(from), ...constant(i), ...get(4), ...multiply, ...add, ...set(first + i)]);
}

function sumAt(i: number, j: number): number {
	return 14 + i * block + j;
}

function sumOfLanes(local: number): Code {
	return [
		...[...get(local), ...laneOf(0), ...get(local), ...laneOf(1), ...addNumbers],
		...[...get(local), ...laneOf(2), ...get(local), ...laneOf(3), ...addNumbers, ...addNumbers],
	];
}

function lines(of: (i: number) => Code): Code {
	return Array.from({ length: block }, (_, i) => of(i)).flat();
}

function each(of: (i: number, j: number) => Code): Code {
	return lines((i) => lines((j) => of(i, j)));
}
