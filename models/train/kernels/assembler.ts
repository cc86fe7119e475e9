/** Writes WebAssembly by hand: just the instructions that the kernels need, each a list of bytes. */

export type Code = readonly number[];

export const i32 = 0x7f;
export const f32 = 0x7d;
export const v128 = 0x7b;

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const add: Code = [0x6a];
export const multiply: Code = [0x6c];
export const below: Code = [0x49];
export const isZero: Code = [0x45];
export const loadInteger = (offset = 0): Code => [0x28, 2, ...unsigned(offset)];
export const loadNumber = (offset = 0): Code => [0x2a, 2, ...unsigned(offset)];
export const storeNumber = (offset = 0): Code => [0x38, 2, ...unsigned(offset)];
export const addNumbers: Code = [0x92];

export const loadFour = (offset = 0): Code => [0xfd, 0x00, 4, ...unsigned(offset)];
export const storeFour = (offset = 0): Code => [0xfd, 0x0b, 4, ...unsigned(offset)];
export const fourOf: Code = [0xfd, 0x13];
export const addFours: Code = [0xfd, 0xe4, 0x01];
export const multiplyFours: Code = [0xfd, 0xe6, 0x01];
export const laneOf = (lane: number): Code => [0xfd, 0x1f, lane];
export const fourZeros: Code = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];

/** `body` again and again while `condition` holds; asked before the first time. */
export function whileTrue(condition: Code, body: Code): Code {
	return [0x02, 0x40, 0x03, 0x40, ...condition, ...isZero, 0x0d, 1, ...body, 0x0c, 0, 0x0b, 0x0b];
}

/** `local += by` */
export function advance(local: number, by: Code): Code {
	return [...get(local), ...by, ...add, ...set(local)];
}

export interface Routine {
	readonly name: string;
	readonly parameters: readonly number[];
	/** Locals after the parameters, numbered on from them. */
	readonly locals: readonly number[];
	readonly body: Code;
}

/** A module of routines that answer nothing and work on one memory, imported as `env.memory`. */
export function assemble(routines: readonly Routine[], pages: number): Uint8Array<ArrayBuffer> {
	const types = routines.map(({ parameters }) => [0x60, ...list(parameters.map((type) => [type])), 0]);
	const bodies = routines.map(({ locals, body }) => sized([...list(locals.map((type) => [1, type])), ...body, 0x0b]));
	return Uint8Array.from([
		...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
		...section(1, list(types)),
		...section(2, list([[...name("env"), ...name("memory"), 0x02, 0x01, ...unsigned(pages), ...unsigned(pages)]])),
		...section(3, list(routines.map((_, i) => unsigned(i)))),
		...section(7, list(routines.map((routine, i) => [...name(routine.name), 0x00, ...unsigned(i)]))),
		...section(10, list(bodies)),
	]);
}

function section(id: number, content: Code): Code {
	return [id, ...sized(content)];
}

function sized(content: Code): Code {
	return [...unsigned(content.length), ...content];
}

function list(items: readonly Code[]): Code {
	return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): Code {
	return sized([...new TextEncoder().encode(text)]);
}

/** LEB128: seven bits a byte, the highest says that more follow. */
function unsigned(value: number): Code {
	return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
	const isLast = value >= -64 && value < 64;
	return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
