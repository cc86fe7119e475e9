/** Writes ONNX graphs: the few messages of its protobuf schema that small models need, by hand (onnx.proto3, opset 17). */

const opset = 17;
const types = { float: 1, int64: 7 } as const;

export interface Node {
	readonly op: string;
	readonly inputs: readonly string[];
	readonly output: string;
	readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface Constant {
	readonly name: string;
	readonly shape: readonly number[];
	readonly values: Float32Array | BigInt64Array;
}

export interface Value {
	readonly name: string;
	readonly type: keyof typeof types;
	/** A word for a dimension that is known at run time only. */
	readonly shape: readonly (number | string)[];
}

export interface Graph {
	readonly nodes: readonly Node[];
	readonly constants: readonly Constant[];
	readonly inputs: readonly Value[];
	readonly outputs: readonly Value[];
}

export function writeOnnx({ nodes, constants, inputs, outputs }: Graph): Uint8Array {
	const graph = join([
		...nodes.map((node) => block(1, nodeBytes(node))),
		text(2, "test"),
		...constants.map((constant) => block(5, constantBytes(constant))),
		...inputs.map((value) => block(11, valueBytes(value))),
		...outputs.map((value) => block(12, valueBytes(value))),
	]);
	return join([whole(1, 8), text(2, "cairn-tests"), block(7, graph), block(8, join([text(1, ""), whole(2, opset)]))]);
}

function nodeBytes({ op, inputs, output, attributes = {} }: Node): Uint8Array {
	return join([
		...inputs.map((name) => text(1, name)),
		text(2, output),
		text(3, `${op} ${output}`),
		text(4, op),
		...Object.entries(attributes).map(([name, value]) => block(5, attributeBytes(name, value))),
	]);
}

/** An INT or a list of them. */
function attributeBytes(name: string, value: number | readonly number[]): Uint8Array {
	if (typeof value === "number") return join([text(1, name), whole(3, value), whole(20, 2)]);
	return join([text(1, name), ...value.map((each) => whole(8, each)), whole(20, 7)]);
}

function constantBytes({ name, shape, values }: Constant): Uint8Array {
	const type = values instanceof Float32Array ? types.float : types.int64;
	const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
	return join([...shape.map((size) => whole(1, size)), whole(2, type), text(8, name), block(9, raw)]);
}

function valueBytes({ name, type, shape }: Value): Uint8Array {
	const dimensions = join(shape.map((size) => block(1, typeof size === "number" ? whole(1, size) : text(2, size))));
	return join([text(1, name), block(2, block(1, join([whole(1, types[type]), block(2, dimensions)])))]);
}

function whole(field: number, value: number): Uint8Array {
	return join([varint(field << 3), varint(value)]);
}

function text(field: number, value: string): Uint8Array {
	return block(field, new TextEncoder().encode(value));
}

function block(field: number, bytes: Uint8Array): Uint8Array {
	return join([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
	const bytes: number[] = [];
	let rest = BigInt.asUintN(64, BigInt(value));
	do {
		bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
		rest >>= 7n;
	} while (rest > 0n);
	return Uint8Array.from(bytes);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
	return new Uint8Array(Buffer.concat(parts));
}
