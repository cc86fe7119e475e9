/** A word-vector model in memory, and its file format. */

import { crc32 } from "node:zlib";
import { type EmbeddingSpace, fail } from "cairn-memory";
import type { TableShape } from "./features.ts";
import { rowsOf } from "./vocabulary.ts";

export interface Model {
	/** Named by the model and its file's checksum: a retrained model has another embedding space. */
	readonly space: EmbeddingSpace;
	readonly shape: TableShape;
	readonly rowOf: (word: string) => number | undefined;
	/** A row's values are its bytes times its scale. */
	readonly scales: Float32Array;
	readonly bytes: Int8Array;
}

/** The header of the file. `words` are rows of single words, `buckets` those shared by all other words. */
export interface Header extends TableShape {
	readonly name: string;
	readonly dimensions: number;
	readonly vocabularyBytes: number;
	readonly calibration: EmbeddingSpace["calibration"];
}

/** `CAIRNVEC`, the version, the checksum of all that follows it, the length of the header. Numbers are little-endian. */
const magic = new TextEncoder().encode("CAIRNVEC");
const version = 1;
const headerAt = 20;
/** The checksum covers the file from this offset on. */
export const checkedAt = 16;
const alignment = 16;

export function encodeModel(header: Omit<Header, "vocabularyBytes">, vocabulary: readonly string[], scales: Float32Array, bytes: Int8Array): Uint8Array {
	const words = new TextEncoder().encode(vocabulary.join("\n"));
	const head = new TextEncoder().encode(JSON.stringify({ ...header, vocabularyBytes: words.length }));
	const places = placesOf(head.length, { ...header, vocabularyBytes: words.length });
	const file = new Uint8Array(places.end);
	const view = new DataView(file.buffer);
	file.set(magic);
	view.setUint32(8, version, true);
	view.setUint32(16, head.length, true);
	file.set(head, headerAt);
	file.set(words, places.vocabulary);
	for (const [i, scale] of scales.entries()) view.setFloat32(places.scales + i * 4, scale, true);
	file.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), places.bytes);
	view.setUint32(12, crc32(file.subarray(checkedAt)), true);
	return file;
}

/**
 * @param checksum of the file from `checkedAt` on, by whoever has read it already.
 * @throws ServiceError `MODEL_FILE_BROKEN` for anything that is not a whole file of this version.
 */
export function decodeModel(file: Uint8Array, path: string, checksum = crc32(file.subarray(checkedAt))): Model {
	const broken = (why: string): Error => fail("MODEL_FILE_BROKEN", path, why);
	if (file.length < headerAt || magic.some((byte, i) => file[i] !== byte)) throw broken("it is not a model file");
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	if (view.getUint32(8, true) !== version) throw broken(`it has version ${view.getUint32(8, true)}, and ${version} is read`);
	if (view.getUint32(12, true) !== checksum) throw broken("its checksum is wrong: it was cut off or changed");
	const header: Header = JSON.parse(new TextDecoder().decode(file.subarray(headerAt, headerAt + view.getUint32(16, true))));
	const { name, words, buckets, dimensions, calibration } = header;
	const places = placesOf(view.getUint32(16, true), header);
	return {
		space: { name: `${name}-${checksum.toString(16).padStart(8, "0")}`, dimensions, metric: "cosine", calibration },
		shape: { words, buckets },
		rowOf: rowsOf(new TextDecoder().decode(file.subarray(places.vocabulary, places.vocabulary + header.vocabularyBytes))),
		scales: Float32Array.from({ length: words + buckets }, (_, i) => view.getFloat32(places.scales + i * 4, true)),
		bytes: new Int8Array(file.buffer, file.byteOffset + places.bytes, (words + buckets) * dimensions),
	};
}

function placesOf(
	headerBytes: number,
	{ words, buckets, dimensions, vocabularyBytes }: Header,
): { vocabulary: number; scales: number; bytes: number; end: number } {
	const vocabulary = aligned(headerAt + headerBytes);
	const scales = aligned(vocabulary + vocabularyBytes);
	const bytes = aligned(scales + (words + buckets) * 4);
	return { vocabulary, scales, bytes, end: bytes + (words + buckets) * dimensions };
}

function aligned(at: number): number {
	return Math.ceil(at / alignment) * alignment;
}
