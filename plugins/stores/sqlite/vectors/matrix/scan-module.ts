/**
 * The scan of a vector matrix as WebAssembly, whose 128-bit instructions JavaScript has no other way to: put together here,
 * byte by byte, so that what runs can be read. Three functions over one memory.
 *
 * `scan(codes, groups, first, end, step, least, out)` goes through blocks of 16 vectors, of which each number is one bit, its
 * sign. Four signs are the place in a table of 16 sums that the query made (after the "fast scan" of André et al. 2015): one
 * instruction looks up 16 vectors, so that one takes three nanoseconds. Whoever comes to `least` is noted in `out`.
 *
 * `enter(row, groups, codes)` writes the signs of a row to its place in a block and answers the square of its length.
 *
 * `compare(query, rows, rowBytes, out, pairs)` writes to each noted one, two by two, the inner product of its 8-bit numbers with
 * the query's.
 */

/** Where `scan` keeps the sums of one block for a moment. */
const spill = 0;
/** Where the tables of the query are: 16 bytes for each four dimensions. */
export const tablesAt = 64;
/** An entry of `out`: the place of the vector, its sum of signs, its inner product. Four bytes each. */
export const entryBytes = 12;
export const blockVectors = 16;
/** One step of the innermost loop: so many dimensions take two bytes of each vector. */
export const groupDimensions = 16;

type Code = readonly number[];

const v128 = 0x7b;
const i32 = 0x7f;

/** In LEB128. */
function unsigned(value: number): Code {
	const low = value & 0x7f;
	return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
	const low = value & 0x7f;
	const rest = value >> 7;
	const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
	return isLast ? [low] : [low | 0x80, ...signed(rest)];
}

const plain =
	(...opcode: Code) =>
	(...operands: readonly Code[]): Code => [...operands.flat(), ...opcode];
const simd = (opcode: number) => plain(0xfd, ...unsigned(opcode));
/** Reads or writes at an address and so many bytes behind it. */
const memory =
	(opcode: Code, align: number) =>
	(offset: number, ...operands: readonly Code[]): Code => [...operands.flat(), ...opcode, align, ...unsigned(offset)];

const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];
const constant = (value: number): Code => [0x41, ...signed(value)];
const constants = (byte: number): Code => [0xfd, 0x0c, ...new Array<number>(16).fill(byte)];
const [add, subtract, multiply, and, shiftLeft] = [plain(0x6a), plain(0x6b), plain(0x6c), plain(0x71), plain(0x74)];
const [shiftDown, storeByte] = [plain(0x76), memory([0x3a], 0)];
const [isBelow, isNought, trailingNoughts] = [plain(0x49), plain(0x45), plain(0x68)];
const [load, loadSixteen, store] = [memory([0x28], 2), memory([0x2f], 1), memory([0x36], 2)];
const [loadVector, storeVector] = [memory([0xfd, 0x00], 0), memory([0xfd, 0x0b], 0)];
const [lookUp, both, addBytes, shiftRight, addShorts] = [simd(0x0e), simd(0x4e), simd(0x6e), simd(0x8d), simd(0x8e)];
const [lowBytes, highBytes, lowSigned, highSigned] = [simd(0x89), simd(0x8a), simd(0x87), simd(0x88)];
const [splatShorts, isAtLeast, narrow, bits] = [simd(0x10), simd(0x35), simd(0x65), simd(0x64)];
const [isGreater, products, addInts] = [simd(0x27), simd(0xba), simd(0xae)];
const lane = (vector: Code, number: number): Code => [...vector, 0xfd, 0x1b, number];

/** Goes on at `again` as long as the condition holds at its end. */
const loop = (...body: readonly Code[]): Code => [0x03, 0x40, ...body.flat(), 0x0b];
const again = (condition: Code): Code => [...condition, 0x0d, 0];
const when = (condition: Code, ...body: readonly Code[]): Code => [...condition, 0x04, 0x40, ...body.flat(), 0x0b];

function scanBody(): Code {
	const [codes, groups, block, end, step, least, out] = [0, 1, 2, 3, 4, 5, 6] as const;
	const [at, table, left, found, next] = [7, 8, 9, 10, 11] as const;
	const [first, second, low, high, sum, nibble, limit] = [12, 13, 14, 15, 16, 17, 18] as const;
	const sumsOf = (number: number, places: Code): Code => lookUp(loadVector(number * 16, get(table)), places);
	const lowNibble = (bytes: number): Code => both(get(bytes), get(nibble));
	const highNibble = (bytes: number): Code => both(shiftRight(get(bytes), constant(4)), get(nibble));
	return [
		...set(nibble, constants(0x0f)),
		...set(limit, splatShorts(get(least))),
		...set(next, get(out)),
		...when(
			isBelow(get(block), get(end)),
			loop(
				set(at, add(get(codes), multiply(multiply(get(block), get(groups)), constant(2 * blockVectors)))),
				set(table, constant(tablesAt)),
				set(left, get(groups)),
				set(low, constants(0)),
				set(high, constants(0)),
				loop(
					set(first, loadVector(0, get(at))),
					set(second, loadVector(blockVectors, get(at))),
					set(
						sum,
						addBytes(
							addBytes(sumsOf(0, lowNibble(first)), sumsOf(1, highNibble(first))),
							addBytes(sumsOf(2, lowNibble(second)), sumsOf(3, highNibble(second))),
						),
					),
					set(low, addShorts(get(low), lowBytes(get(sum)))),
					set(high, addShorts(get(high), highBytes(get(sum)))),
					set(at, add(get(at), constant(2 * blockVectors))),
					set(table, add(get(table), constant(64))),
					set(left, subtract(get(left), constant(1))),
					again(get(left)),
				),
				set(found, bits(narrow(isAtLeast(get(low), get(limit)), isAtLeast(get(high), get(limit))))),
				when(
					get(found),
					storeVector(0, constant(spill), get(low)),
					storeVector(16, constant(spill), get(high)),
					loop(
						store(0, get(next), add(multiply(get(block), constant(blockVectors)), trailingNoughts(get(found)))),
						store(4, get(next), loadSixteen(spill, shiftLeft(trailingNoughts(get(found)), constant(1)))),
						set(next, add(get(next), constant(entryBytes))),
						set(found, and(get(found), subtract(get(found), constant(1)))),
						again(get(found)),
					),
				),
				set(block, add(get(block), get(step))),
				again(isBelow(get(block), get(end))),
			),
		),
		...subtract(get(next), get(out)),
	];
}

/** Of 16 pairs of bytes, as four numbers. */
function product(a: number, b: number): Code {
	return addInts(products(lowSigned(get(a)), lowSigned(get(b))), products(highSigned(get(a)), highSigned(get(b))));
}

function total(sum: number): Code {
	return add(add(lane(get(sum), 0), lane(get(sum), 1)), add(lane(get(sum), 2), lane(get(sum), 3)));
}

function enterBody(): Code {
	const [row, groups, codes] = [0, 1, 2] as const;
	const [signs, numbers, sum] = [3, 4, 5] as const;
	return [
		...loop(
			set(numbers, loadVector(0, get(row))),
			set(sum, addInts(get(sum), product(numbers, numbers))),
			set(signs, bits(isGreater(get(numbers), constants(0)))),
			storeByte(0, get(codes), get(signs)),
			storeByte(blockVectors, get(codes), shiftDown(get(signs), constant(8))),
			set(row, add(get(row), constant(groupDimensions))),
			set(codes, add(get(codes), constant(2 * blockVectors))),
			set(groups, subtract(get(groups), constant(1))),
			again(get(groups)),
		),
		...total(sum),
	];
}

/** Two rows at a time: memory is waited for once instead of twice. */
function compareBody(): Code {
	const [query, rows, rowBytes, out, pairs] = [0, 1, 2, 3, 4] as const;
	const [row, second, at, end] = [5, 6, 7, 8] as const;
	const [a, b, c, sum, secondSum] = [9, 10, 11, 12, 13] as const;
	return when(
		isNought(isNought(get(pairs))),
		loop(
			set(row, add(get(rows), multiply(load(0, get(out)), get(rowBytes)))),
			set(second, add(get(rows), multiply(load(entryBytes, get(out)), get(rowBytes)))),
			set(end, add(get(row), get(rowBytes))),
			set(at, get(query)),
			set(sum, constants(0)),
			set(secondSum, constants(0)),
			loop(
				set(a, loadVector(0, get(at))),
				set(b, loadVector(0, get(row))),
				set(c, loadVector(0, get(second))),
				set(sum, addInts(get(sum), product(a, b))),
				set(secondSum, addInts(get(secondSum), product(a, c))),
				set(at, add(get(at), constant(16))),
				set(row, add(get(row), constant(16))),
				set(second, add(get(second), constant(16))),
				again(isBelow(get(row), get(end))),
			),
			store(8, get(out), total(sum)),
			store(entryBytes + 8, get(out), total(secondSum)),
			set(out, add(get(out), constant(2 * entryBytes))),
			set(pairs, subtract(get(pairs), constant(1))),
			again(get(pairs)),
		),
	);
}

const text = (name: string): Code => [name.length, ...new TextEncoder().encode(name)];
const sized = (code: Code): Code => [...unsigned(code.length), ...code];
const section = (number: number, items: readonly Code[]): Code => [number, ...sized([...unsigned(items.length), ...items.flat()])];
const parameters = (count: number): Code => [count, ...new Array<number>(count).fill(i32)];
const body = (ints: number, vectors: number, code: Code): Code => sized([2, ints, i32, vectors, v128, ...code, 0x0b]);

export function scanModule(): WebAssembly.Module {
	const bytes = [
		...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
		...section(1, [
			[0x60, ...parameters(7), 1, i32],
			[0x60, ...parameters(5), 0],
			[0x60, ...parameters(3), 1, i32],
		]),
		...section(3, [[0], [1], [2]]),
		...section(5, [[0x00, 1]]),
		...section(7, [
			[...text("memory"), 0x02, 0],
			[...text("scan"), 0x00, 0],
			[...text("compare"), 0x00, 1],
			[...text("enter"), 0x00, 2],
		]),
		...section(10, [body(5, 7, scanBody()), body(4, 5, compareBody()), body(1, 2, enterBody())]),
	];
	return new WebAssembly.Module(Uint8Array.from(bytes));
}
