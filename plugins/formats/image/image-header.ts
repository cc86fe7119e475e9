/** Reads the size and orientation of an image from its header, before anything is decoded. */

import { fail } from "cairn-memory";
import { imageSize } from "image-size";
import { avifOrientation } from "./avif-orientation.ts";

export interface ImageHeader {
	readonly width: number;
	readonly height: number;
	/** EXIF orientation: 1 is upright. */
	readonly orientation: number;
}

/** Decoding this many pixels takes half of the sandbox's memory (570 MB for a JPEG). OCR needs the other half. */
const decodedPixelsMax = 52_000_000;

/** Checks the size before decoding, since a header of thirty bytes can declare an image of ten gigabytes. @throws FILE_BROKEN, IMAGE_TOO_LARGE */
export function checkedHeader(bytes: Uint8Array): ImageHeader {
	const header = readImageHeader(bytes);
	if (header === null || header.width < 1 || header.height < 1) throw fail("FILE_BROKEN", "it has no valid image header");
	return checkedSize(header);
}

/** @throws IMAGE_TOO_LARGE */
export function checkedSize<Size extends Pick<ImageHeader, "width" | "height">>(size: Size): Size {
	const pixels = size.width * size.height;
	if (pixels > decodedPixelsMax) throw fail("IMAGE_TOO_LARGE", Math.round(pixels / 1e6), decodedPixelsMax / 1e6);
	return size;
}

/** Null for an unknown format or a truncated header. */
function readImageHeader(bytes: Uint8Array): ImageHeader | null {
	try {
		const { width, height, type } = imageSize(bytes);
		return { width, height, orientation: orientationOf(bytes, type) };
	} catch {
		return null;
	}
}

/** Only that of formats whose decoders do not apply it. */
function orientationOf(bytes: Uint8Array, type: string | undefined): number {
	if (type === "webp") return webpOrientation(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	return type === "avif" ? avifOrientation(bytes) : 1;
}

/** The orientation in the EXIF chunk, which comes after the image data. */
function webpOrientation(view: DataView): number {
	for (let offset = 12; offset + 8 <= view.byteLength; offset += 8 + view.getUint32(offset + 4, true) + (view.getUint32(offset + 4, true) & 1)) {
		if (view.getUint32(offset) !== 0x45584946) continue;
		const start = view.getUint32(offset + 8) === 0x45786966 ? offset + 14 : offset + 8;
		return exifOrientation(view, start);
	}
	return 1;
}

const orientationTag = 274;
/** No real file has more tags in its first directory. */
const tagsMax = 512;

/** The orientation in EXIF data, which is structured like a TIFF. */
function exifOrientation(view: DataView, start: number): number {
	const isLittleEndian = view.getUint16(start) === 0x4949;
	const directory = start + view.getUint32(start + 4, isLittleEndian);
	for (let tag = 0; tag < Math.min(view.getUint16(directory, isLittleEndian), tagsMax); tag++) {
		const offset = directory + 2 + tag * 12;
		if (view.getUint16(offset, isLittleEndian) === orientationTag) return view.getUint16(offset + 8, isLittleEndian);
	}
	return 1;
}
