/** Which kind of Office file of before 2007 an OLE container holds: names are often wrong, and the container's list stands anywhere. */

export type LegacyKind = "doc" | "xls" | "ppt";

const mark = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** In the order in which they hold each other: a document has tables and slides embedded in it more often than they have it. */
const streams: readonly (readonly [kind: LegacyKind, names: readonly string[]])[] = [
	["doc", ["WordDocument"]],
	["xls", ["Workbook", "Book"]],
	["ppt", ["PowerPoint Document"]],
];

/** @param claimed is believed where it can be true. @returns null when it is no such file. */
export function legacyKind(bytes: Uint8Array, claimed: string): LegacyKind | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!buffer.subarray(0, mark.length).equals(mark)) return null;
	// What is written behind a name is a zero, so that no longer name is taken for it.
	const held = streams.filter(([, names]) => names.some((name) => buffer.indexOf(`${name}\0`, 0, "utf16le") >= 0)).map(([kind]) => kind);
	return held.find((kind) => kind === claimed) ?? held[0] ?? null;
}
