/** An extraction stored by an earlier attempt: how it is written and read back. */

import type { Extraction } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";
import { isRun, type PackedExtraction, type PackedRun, packedAgain, unpackExtraction } from "../text/packed-extraction.ts";

export interface KeptExtraction {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

/** The first line of a packed extraction, which is stored as a line of JSON, the numbers of its runs, and its text. Any other is JSON. */
const packedMark = "packed\n";
/** What is encoded at once: a whole text and its bytes would both be there. */
const sliceCharacters = 1_000_000;
const newline = 10;

export async function* writeKeptExtraction({ mediaType, extraction }: KeptExtraction): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	const packed = packedAgain(extraction);
	if (packed === null) {
		yield encoder.encode(JSON.stringify({ mediaType, extraction }));
		return;
	}
	const { text, parts, ...facts } = packed;
	yield encoder.encode(`${packedMark}${JSON.stringify({ mediaType, facts, parts: parts.map(partHead) })}\n`);
	for (const part of parts) if (isRun(part)) yield new Uint8Array(part.marks.buffer, part.marks.byteOffset, part.marks.byteLength);
	for (let at = 0; at < text.length; ) {
		const end = endOfSlice(text, at);
		yield encoder.encode(text.slice(at, end));
		at = end;
	}
}

/** Null when nothing is stored or it cannot be read: then the document is read again. */
export function parseKeptExtraction(bytes: Uint8Array | null): KeptExtraction | null {
	if (bytes === null) return null;
	try {
		const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		if (decoder.decode(bytes.subarray(0, packedMark.length)) === packedMark) return parsePacked(bytes.subarray(packedMark.length), decoder);
		const kept: unknown = JSON.parse(decoder.decode(bytes));
		return isKept(kept) ? kept : null;
	} catch {
		return null;
	}
}

type PartHead = PackedExtraction["parts"][number] | RunHead;
type RunHead = Omit<PackedRun, "marks" | "odd"> & { readonly numbers: number; readonly odd: readonly (readonly [number, string])[] };

interface PackedHead {
	readonly mediaType: MediaType;
	readonly facts: Omit<PackedExtraction, "parts" | "text">;
	readonly parts: readonly PartHead[];
}

function partHead(part: PackedExtraction["parts"][number]): PartHead {
	if (!isRun(part)) return part;
	const { marks, odd, ...rest } = part;
	return { ...rest, numbers: marks.length, odd: [...odd] };
}

/** Never between the halves of a surrogate pair: each would become a replacement character. */
function endOfSlice(text: string, at: number): number {
	const end = Math.min(text.length, at + sliceCharacters);
	const last = text.charCodeAt(end - 1);
	return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

function parsePacked(bytes: Uint8Array, decoder: TextDecoder): KeptExtraction {
	let at = bytes.indexOf(newline) + 1;
	// Written by this very code; what is cut off or damaged throws, here or where it is read.
	const { mediaType, facts, parts } = JSON.parse(decoder.decode(bytes.subarray(0, at))) as PackedHead;
	const read = parts.map((part) => {
		if (!("numbers" in part)) return part;
		const { numbers, odd, ...rest } = part;
		const end = at + numbers * Uint32Array.BYTES_PER_ELEMENT;
		const marks = new Uint32Array(new Uint8Array(bytes.subarray(at, end)).buffer); // a copy: numbers begin where they please in a file
		at = end;
		return { ...rest, marks, odd: new Map(odd) };
	});
	return { mediaType, extraction: unpackExtraction({ ...facts, parts: read, text: decoder.decode(bytes.subarray(at)) }) };
}

function isKept(value: unknown): value is KeptExtraction {
	if (typeof value !== "object" || value === null || !("mediaType" in value) || !("extraction" in value)) return false;
	const { extraction } = value;
	return typeof extraction === "object" && extraction !== null && "blocks" in extraction && Array.isArray(extraction.blocks) && "text" in extraction;
}
