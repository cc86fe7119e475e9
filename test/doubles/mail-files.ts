/** Mails made for tests, as Outlook keeps them. */

import { compoundOf, type Node } from "./compound-file.ts";

/** One property of an MSG: its number, and a text, bytes, or a mail. */
export type MsgValue = string | Uint8Array | MsgStorage;

export interface MsgStorage {
	readonly properties?: Readonly<Record<string, MsgValue>>;
	/** Small values by number: `{ 0x0c15: 1n }`. */
	readonly numbers?: Readonly<Record<number, bigint>>;
	readonly recipients?: readonly MsgStorage[];
	readonly attachments?: readonly MsgStorage[];
}

export function msgOf(mail: MsgStorage): Uint8Array {
	return compoundOf(nodesOf(mail, 32));
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
