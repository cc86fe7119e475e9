/** Which kind of Office file from before 2007 is in an OLE container. Extensions are often wrong, and the directory may be anywhere. */

export type LegacyKind = "doc" | "xls" | "ppt";

const mark = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Ordered by what embeds what: documents embed sheets and slides more often than the reverse. */
const streams: readonly (readonly [kind: LegacyKind, names: readonly string[]])[] = [
	["doc", ["WordDocument"]],
	["xls", ["Workbook", "Book"]],
	["ppt", ["PowerPoint Document"]],
];

/** @param claimed is used where the container has its stream. @returns null when it is no such file. */
export function legacyKind(bytes: Uint8Array, claimed: string): LegacyKind | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!buffer.subarray(0, mark.length).equals(mark)) return null;
	// The zero behind the name keeps longer names from matching.
	const held = streams.filter(([, names]) => names.some((name) => buffer.indexOf(`${name}\0`, 0, "utf16le") >= 0)).map(([kind]) => kind);
	return held.find((kind) => kind === claimed) ?? held[0] ?? null;
}
