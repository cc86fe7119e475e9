/** Detects which kind of Office file from before 2007 an OLE container is. Extensions are often wrong, and the directory may be anywhere. */

export type LegacyKind = "doc" | "xls" | "ppt";

const signature = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Kinds with the names of their main streams. The order matters for nested files: documents embed sheets and slides more often than the reverse. */
const streams: readonly (readonly [kind: LegacyKind, names: readonly string[]])[] = [
	["doc", ["WordDocument"]],
	["xls", ["Workbook", "Book"]],
	["ppt", ["PowerPoint Document"]],
];

/** @param declaredKind is preferred if the container has its stream. @returns null if it is not such a file. */
export function legacyKind(bytes: Uint8Array, declaredKind: string): LegacyKind | null {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!buffer.subarray(0, signature.length).equals(signature)) return null;
	// The terminating null keeps longer names from matching.
	const kinds = streams.filter(([, names]) => names.some((name) => buffer.indexOf(`${name}\0`, 0, "utf16le") >= 0)).map(([kind]) => kind);
	return kinds.find((kind) => kind === declaredKind) ?? kinds[0] ?? null;
}
