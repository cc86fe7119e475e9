/** An extraction that an earlier try has kept, written down and read back. */

import type { Extraction } from "../model/extraction.ts";
import type { MediaType } from "../model/media-type.ts";
import { isRun, type PackedExtraction, packedAgain, unpackExtraction } from "./packed-extraction.ts";

export interface KeptExtraction {
	readonly mediaType: MediaType;
	readonly extraction: Extraction;
}

/** In pieces, and what came packed is kept packed: the blocks of a long table take ten times as much as its text. */
export async function* writeKeptExtraction({ mediaType, extraction }: KeptExtraction): AsyncGenerator<Uint8Array> {
	const packed = packedAgain(extraction);
	yield new TextEncoder().encode(JSON.stringify({ mediaType, extraction: packed === null ? extraction : plain(packed) }));
}

/** Null when nothing was kept, or when what was kept cannot be read: then the document is simply read again. */
export function parseKeptExtraction(bytes: Uint8Array | null): KeptExtraction | null {
	if (bytes === null) return null;
	try {
		const kept: unknown = JSON.parse(new TextDecoder().decode(bytes));
		if (!isKept(kept)) return null;
		const { mediaType, extraction } = kept;
		return { mediaType, extraction: "parts" in extraction ? unpackExtraction(packed(extraction)) : extraction };
	} catch {
		return null;
	}
}

/** As JSON can hold it. */
type PlainPart = Exclude<PackedExtraction["parts"][number], { readonly marks: unknown }> | PlainRun;
type PlainRun = Omit<Extract<PackedExtraction["parts"][number], { readonly marks: unknown }>, "marks" | "odd"> & {
	readonly numbers: readonly number[];
	readonly odd: readonly (readonly [number, string])[];
};
type PlainPacked = Omit<PackedExtraction, "parts"> & { readonly parts: readonly PlainPart[] };

function plain({ parts, ...facts }: PackedExtraction): PlainPacked {
	const plainPart = (part: PackedExtraction["parts"][number]): PlainPart => {
		if (!isRun(part)) return part;
		const { marks, odd, ...rest } = part;
		return { ...rest, numbers: [...marks], odd: [...odd] };
	};
	return { ...facts, parts: parts.map(plainPart) };
}

function packed({ parts, ...facts }: PlainPacked): PackedExtraction {
	const packedPart = (part: PlainPart): PackedExtraction["parts"][number] => {
		if (!("numbers" in part)) return part;
		const { numbers, odd, ...rest } = part;
		return { ...rest, marks: Uint32Array.from(numbers), odd: new Map(odd) };
	};
	return { ...facts, parts: parts.map(packedPart) };
}

function isKept(value: unknown): value is { readonly mediaType: MediaType; readonly extraction: Extraction | PlainPacked } {
	if (typeof value !== "object" || value === null || !("mediaType" in value) || !("extraction" in value)) return false;
	const { extraction } = value;
	if (typeof extraction !== "object" || extraction === null || !("text" in extraction)) return false;
	return ("blocks" in extraction && Array.isArray(extraction.blocks)) || ("parts" in extraction && Array.isArray(extraction.parts));
}
