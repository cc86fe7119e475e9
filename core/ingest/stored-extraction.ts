/** Writes and reads the stored extraction of a document, so that a retry does not read the document again. */

import type { Extraction } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";
import { isRun, type PackedExtraction, type PackedRun, packedAgain, unpackExtraction } from "../text/packed-extraction.ts";

export interface StoredExtraction {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

/**
 * The first line of a packed extraction. After it come a line of JSON, the numbers of its runs as 32-bit integers, and its text. A stored
 * extraction without this line is JSON.
 */
const packedPrefix = "packed\n";
/** The text is encoded in slices, since otherwise the whole text and all its bytes would be in memory together. */
const sliceCharacters = 1_000_000;
const newline = 10;

export async function* writeStoredExtraction({ mediaType, extraction }: StoredExtraction): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	const packed = packedAgain(extraction);
	if (packed === null) {
		yield encoder.encode(JSON.stringify({ mediaType, extraction }));
		return;
	}
	const { text, parts, ...facts } = packed;
	yield encoder.encode(`${packedPrefix}${JSON.stringify({ mediaType, facts, parts: parts.map(partHeader) })}\n`);
	for (const part of parts) if (isRun(part)) yield new Uint8Array(part.marks.buffer, part.marks.byteOffset, part.marks.byteLength);
	for (let offset = 0; offset < text.length; ) {
		const end = endOfSlice(text, offset);
		yield encoder.encode(text.slice(offset, end));
		offset = end;
	}
}

/** Null if nothing is stored or it cannot be parsed; the document is then read again. */
export function parseStoredExtraction(bytes: Uint8Array | null): StoredExtraction | null {
	if (bytes === null) return null;
	try {
		const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		if (decoder.decode(bytes.subarray(0, packedPrefix.length)) === packedPrefix) return parsePacked(bytes.subarray(packedPrefix.length), decoder);
		const stored: unknown = JSON.parse(decoder.decode(bytes));
		return isStoredExtraction(stored) ? stored : null;
	} catch {
		return null;
	}
}

type PartHeader = PackedExtraction["parts"][number] | RunHeader;
type RunHeader = Omit<PackedRun, "marks" | "odd"> & { readonly numbers: number; readonly odd: readonly (readonly [number, string])[] };

interface PackedHeader {
	readonly mediaType: MediaType;
	readonly facts: Omit<PackedExtraction, "parts" | "text">;
	readonly parts: readonly PartHeader[];
}

function partHeader(part: PackedExtraction["parts"][number]): PartHeader {
	if (!isRun(part)) return part;
	const { marks, odd, ...rest } = part;
	return { ...rest, numbers: marks.length, odd: [...odd] };
}

/** The end of the slice that begins at the offset. It is never inside a surrogate pair, whose halves would become replacement characters. */
function endOfSlice(text: string, offset: number): number {
	const end = Math.min(text.length, offset + sliceCharacters);
	const lastCode = text.charCodeAt(end - 1);
	return end < text.length && lastCode >= 0xd800 && lastCode <= 0xdbff ? end + 1 : end;
}

function parsePacked(bytes: Uint8Array, decoder: TextDecoder): StoredExtraction {
	let offset = bytes.indexOf(newline) + 1;
	// The JSON was written by `writeStoredExtraction`, so its type is not checked. Truncated or damaged data throws here or when it is read.
	const { mediaType, facts, parts } = JSON.parse(decoder.decode(bytes.subarray(0, offset))) as PackedHeader;
	const readParts = parts.map((part) => {
		if (!("numbers" in part)) return part;
		const { numbers, odd, ...rest } = part;
		const end = offset + numbers * Uint32Array.BYTES_PER_ELEMENT;
		const marks = new Uint32Array(new Uint8Array(bytes.subarray(offset, end)).buffer); // a copy, since the numbers may not be aligned in the file
		offset = end;
		return { ...rest, marks, odd: new Map(odd) };
	});
	return { mediaType, extraction: unpackExtraction({ ...facts, parts: readParts, text: decoder.decode(bytes.subarray(offset)) }) };
}

function isStoredExtraction(value: unknown): value is StoredExtraction {
	if (typeof value !== "object" || value === null || !("mediaType" in value) || !("extraction" in value)) return false;
	const { extraction } = value;
	return typeof extraction === "object" && extraction !== null && "blocks" in extraction && Array.isArray(extraction.blocks) && "text" in extraction;
}
