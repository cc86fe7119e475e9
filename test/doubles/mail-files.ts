/** Mails made for tests: EML by hand, and Outlook's compound files, put together as Outlook does. */

/** One property of an MSG: its number, and a text, bytes, or a mail. */
export type MsgValue = string | Uint8Array | MsgStorage;

export interface MsgStorage {
	readonly properties?: Readonly<Record<string, MsgValue>>;
	/** Small values by number: `{ 0x0c15: 1n }`. */
	readonly numbers?: Readonly<Record<number, bigint>>;
	readonly recipients?: readonly MsgStorage[];
	readonly attachments?: readonly MsgStorage[];
}

interface Node {
	readonly name: string;
	readonly bytes: Uint8Array | null;
	readonly children: readonly Node[];
}

const sector = 512;
const endOfChain = 0xfffffffe;
const free = 0xffffffff;

/** Every stream has sectors of its own: the cut-off for small streams is set to nothing. */
export function msgOf(mail: MsgStorage): Uint8Array {
	const root: Node = { name: "Root Entry", bytes: null, children: nodesOf(mail, 32) };
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

function nodesOf({ properties = {}, numbers = {}, recipients = [], attachments = [] }: MsgStorage, headLength: number): readonly Node[] {
	const list = Buffer.alloc(headLength + Object.keys(numbers).length * 16);
	for (const [at, [id, value]] of Object.entries(numbers).entries()) {
		list.writeUInt16LE(value > 0xffffffffn ? 0x0040 : 0x0003, headLength + at * 16);
		list.writeUInt16LE(Number(id), headLength + at * 16 + 2);
		list.writeBigUInt64LE(value, headLength + at * 16 + 8);
	}
	return [
		{ name: "__properties_version1.0", bytes: list, children: [] },
		...Object.entries(properties).map(([id, value]) => nodeOf(id, value)),
		...recipients.map((recipient, at) => ({ name: `__recip_version1.0_#0000000${at}`, bytes: null, children: nodesOf(recipient, 8) })),
		...attachments.map((attachment, at) => ({ name: `__attach_version1.0_#0000000${at}`, bytes: null, children: nodesOf(attachment, 8) })),
	];
}

function nodeOf(id: string, value: MsgValue): Node {
	if (typeof value === "string") return { name: `__substg1.0_${id}001F`, bytes: Buffer.from(value, "utf16le"), children: [] };
	if (value instanceof Uint8Array) return { name: `__substg1.0_${id}0102`, bytes: value, children: [] };
	return { name: `__substg1.0_${id}000D`, bytes: null, children: nodesOf(value, 24) };
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
