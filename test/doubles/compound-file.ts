/** OLE compound files made for tests: streams of bytes in a tree of storages. */

export interface Node {
	readonly name: string;
	/** Null for a storage. */
	readonly bytes: Uint8Array | null;
	readonly children: readonly Node[];
}

const sector = 512;
const endOfChain = 0xfffffffe;
const free = 0xffffffff;

export function streamNode(name: string, bytes: Uint8Array): Node {
	return { name, bytes, children: [] };
}

export function storageNode(name: string, children: readonly Node[]): Node {
	return { name, bytes: null, children };
}

/** Every stream has sectors of its own: the cut-off for small streams is set to nothing. */
export function compoundOf(children: readonly Node[]): Uint8Array {
	const root: Node = { name: "Root Entry", bytes: null, children };
	const flat: { readonly node: Node; children: number[] }[] = [];
	const visit = (node: Node): number => {
		const entry = { node, children: [] as number[] };
		const at = flat.push(entry) - 1;
		entry.children = node.children.map(visit);
		return at;
	};
	visit(root);

	const data: Uint8Array[] = [];
	const chain: number[] = [];
	const store = (bytes: Uint8Array): number => {
		const count = Math.ceil(bytes.byteLength / sector);
		if (count === 0) return endOfChain;
		const start = chain.length;
		for (let at = 0; at < count; at++) {
			const piece = new Uint8Array(sector);
			piece.set(bytes.subarray(at * sector, (at + 1) * sector));
			data.push(piece);
			chain.push(at === count - 1 ? endOfChain : start + at + 1);
		}
		return start;
	};
	const starts = flat.map(({ node }) => (node.bytes === null ? 0 : store(node.bytes)));
	const directory = store(Buffer.concat(flat.map((entry, at) => entryOf(entry, starts[at] ?? 0, flat))));
	const count = Math.ceil((chain.length + 1) / (sector / 4 - 1));
	const first = chain.length;
	const numbers = [...chain, ...Array.from({ length: count }, () => 0xfffffffd)];
	while (numbers.length < (count * sector) / 4) numbers.push(free);
	return new Uint8Array(Buffer.concat([headOf(directory, first, count), ...data, Buffer.from(Uint32Array.from(numbers).buffer)]));
}

/** Siblings hang on each other's right side. */
function entryOf(
	{ node, children }: { readonly node: Node; readonly children: readonly number[] },
	start: number,
	flat: readonly { readonly children: readonly number[] }[],
): Buffer {
	const entry = Buffer.alloc(128);
	entry.write(node.name, "utf16le");
	entry.writeUInt16LE(node.name.length * 2 + 2, 64);
	entry.writeUInt8(node.name === "Root Entry" ? 5 : node.bytes === null ? 1 : 2, 66);
	const own = flat.findIndex((other) => other.children === children);
	const family = flat.find((other) => other.children.includes(own))?.children ?? [];
	entry.writeUInt32LE(free, 68);
	entry.writeUInt32LE(family[family.indexOf(own) + 1] ?? free, 72);
	entry.writeUInt32LE(children[0] ?? free, 76);
	entry.writeUInt32LE(start, 116);
	entry.writeUInt32LE(node.bytes?.byteLength ?? 0, 120);
	return entry;
}

function headOf(directory: number, chainStart: number, chainCount: number): Buffer {
	const head = Buffer.alloc(sector, 0xff);
	Buffer.from("d0cf11e0a1b11ae1", "hex").copy(head);
	head.fill(0, 8, 76);
	head.writeUInt16LE(3, 26);
	head.writeUInt16LE(0xfffe, 28);
	head.writeUInt16LE(9, 30);
	head.writeUInt16LE(6, 32);
	head.writeUInt32LE(chainCount, 44);
	head.writeUInt32LE(directory, 48);
	head.writeUInt32LE(0, 56);
	head.writeUInt32LE(endOfChain, 60);
	head.writeUInt32LE(endOfChain, 68);
	for (let at = 0; at < Math.min(109, chainCount); at++) head.writeUInt32LE(chainStart + at, 76 + at * 4);
	return head;
}
