/** The size and orientation of an image, from its header, before anything is decoded. */

import { imageSize } from "image-size";

export interface ImageHeader {
	readonly width: number;
	readonly height: number;
	/** EXIF orientation: 1 is upright. */
	readonly orientation: number;
}

/** Null for an unknown format, or a file truncated before its size. Only WebP's orientation is read, since MuPDF applies that of other formats. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
	try {
		const { width, height, type } = imageSize(bytes);
		return { width, height, orientation: type === "webp" ? webpOrientation(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) : 1 };
	} catch {
		return null;
	}
}

/** The EXIF chunk follows the image data. */
function webpOrientation(view: DataView): number {
	for (let at = 12; at + 8 <= view.byteLength; at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1)) {
		if (view.getUint32(at) !== 0x45584946) continue;
		const start = view.getUint32(at + 8) === 0x45786966 ? at + 14 : at + 8;
		return orientationIn(view, start);
	}
	return 1;
}

const orientationTag = 274;
/** More tags than any file has in its first directory. */
const tagsMax = 512;

/** EXIF data is structured like a TIFF. */
function orientationIn(view: DataView, start: number): number {
	const isLittle = view.getUint16(start) === 0x4949;
	const directory = start + view.getUint32(start + 4, isLittle);
	for (let tag = 0; tag < Math.min(view.getUint16(directory, isLittle), tagsMax); tag++) {
		const at = directory + 2 + tag * 12;
		if (view.getUint16(at, isLittle) === orientationTag) return view.getUint16(at + 8, isLittle);
	}
	return 1;
}
