/** A word-vector model in memory, and its file format. */

import { crc32 } from "node:zlib";
import { type EmbeddingSpace, fail } from "cairn-memory";
import { rowsOf, type TableShape } from "./features.ts";

export interface Model {
	/** Its name has the model's name and the checksum of the file, so that a retrained model has another embedding space. */
	readonly space: EmbeddingSpace;
	readonly shape: TableShape;
	readonly rowOf: (word: string) => number | undefined;
	/** One scale per row: the values of a row are its bytes times its scale. */
	readonly scales: Float32Array;
	/** All rows, one after the other. */
	readonly bytes: Int8Array;
}

/** The JSON header of the file. `words` counts the rows of vocabulary words, `buckets` the shared rows. */
export interface Header extends TableShape {
	readonly name: string;
	readonly dimensions: number;
	readonly vocabularyBytes: number;
	readonly calibration: EmbeddingSpace["calibration"];
}

/** A file begins with `CAIRNVEC`, the version, the checksum of all that follows it, and the length of the header. Numbers are little-endian. */
const magic = new TextEncoder().encode("CAIRNVEC");
const version = 1;
/** Offset of the header. */
const headerOffset = 20;
/** The checksum covers the file from this offset on. */
export const checkedFrom = 16;
const alignment = 16;

export function encodeModel(header: Omit<Header, "vocabularyBytes">, vocabulary: readonly string[], scales: Float32Array, bytes: Int8Array): Uint8Array {
	const words = new TextEncoder().encode(vocabulary.join("\n"));
	const headerBytes = new TextEncoder().encode(JSON.stringify({ ...header, vocabularyBytes: words.length }));
	const offsets = sectionOffsets(headerBytes.length, { ...header, vocabularyBytes: words.length });
	const file = new Uint8Array(offsets.end);
	const view = new DataView(file.buffer);
	file.set(magic);
	view.setUint32(8, version, true);
	view.setUint32(16, headerBytes.length, true);
	file.set(headerBytes, headerOffset);
	file.set(words, offsets.vocabulary);
	for (const [i, scale] of scales.entries()) view.setFloat32(offsets.scales + i * 4, scale, true);
	file.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), offsets.bytes);
	view.setUint32(12, crc32(file.subarray(checkedFrom)), true);
	return file;
}

/**
 * @param checksum of the file from `checkedFrom` on, if the caller has computed it.
 * @throws ServiceError `MODEL_FILE_BROKEN` if it is not a complete file of this version.
 */
export function decodeModel(file: Uint8Array, path: string, checksum = crc32(file.subarray(checkedFrom))): Model {
	const broken = (reason: string): Error => fail("MODEL_FILE_BROKEN", path, reason);
	if (file.length < headerOffset || magic.some((byte, i) => file[i] !== byte)) throw broken("it is not a model file");
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	if (view.getUint32(8, true) !== version) throw broken(`it has version ${view.getUint32(8, true)}; this server reads version ${version}`);
	if (view.getUint32(12, true) !== checksum) throw broken("its checksum is wrong, so it was truncated or changed");
	const header: Header = JSON.parse(new TextDecoder().decode(file.subarray(headerOffset, headerOffset + view.getUint32(16, true))));
	const { name, words, buckets, dimensions, calibration } = header;
	const offsets = sectionOffsets(view.getUint32(16, true), header);
	return {
		space: { name: `${name}-${checksum.toString(16).padStart(8, "0")}`, dimensions, metric: "cosine", calibration },
		shape: { words, buckets },
		rowOf: rowsOf(new TextDecoder().decode(file.subarray(offsets.vocabulary, offsets.vocabulary + header.vocabularyBytes))),
		scales: Float32Array.from({ length: words + buckets }, (_, i) => view.getFloat32(offsets.scales + i * 4, true)),
		bytes: new Int8Array(file.buffer, file.byteOffset + offsets.bytes, (words + buckets) * dimensions),
	};
}

function sectionOffsets(
	headerBytes: number,
	{ words, buckets, dimensions, vocabularyBytes }: Header,
): { vocabulary: number; scales: number; bytes: number; end: number } {
	const vocabulary = align(headerOffset + headerBytes);
	const scales = align(vocabulary + vocabularyBytes);
	const bytes = align(scales + (words + buckets) * 4);
	return { vocabulary, scales, bytes, end: bytes + (words + buckets) * dimensions };
}

function align(offset: number): number {
	return Math.ceil(offset / alignment) * alignment;
}
