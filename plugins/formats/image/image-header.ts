/** How big a picture is and which way is up, from its header alone: asked before anything is decoded. */

export interface ImageHeader {
	readonly width: number;
	readonly height: number;
	/** As EXIF counts: 1 is upright. */
	readonly orientation: number;
}

/** Null for what is no picture of a known kind, or is cut before it tells its size. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	try {
		return readPng(view) ?? readJpeg(view) ?? readGif(view) ?? readWebp(view) ?? readBmp(view) ?? readTiff(view, 0);
	} catch (thrown) {
		if (thrown instanceof RangeError) return null; // the view ended
		throw thrown;
	}
}

function upright(width: number, height: number, orientation = 1): ImageHeader {
	return { width, height, orientation };
}

function readPng(view: DataView): ImageHeader | null {
	return view.getUint32(0) === 0x89504e47 && view.getUint32(12) === 0x49484452 ? upright(view.getUint32(16), view.getUint32(20)) : null;
}

/** Walks the segments to the frame that tells the size. MuPDF sees to the orientation of JPEG and TIFF by itself. */
function readJpeg(view: DataView): ImageHeader | null {
	if (view.getUint16(0) !== 0xffd8) return null;
	for (let at = 2; at < view.byteLength; ) {
		const marker = view.getUint16(at);
		if (marker === 0xffff) {
			at++; // padding
			continue;
		}
		if (marker < 0xffc0) return null;
		const isFrame = marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;
		if (isFrame) return upright(view.getUint16(at + 7), view.getUint16(at + 5));
		at += 2 + view.getUint16(at + 2);
	}
	return null;
}

function readGif(view: DataView): ImageHeader | null {
	return view.getUint32(0) === 0x47494638 ? upright(view.getUint16(6, true), view.getUint16(8, true)) : null;
}

function readWebp(view: DataView): ImageHeader | null {
	if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
	switch (view.getUint32(12)) {
		case 0x56503820: // "VP8 "
			return upright(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
		case 0x5650384c: {
			// "VP8L"
			const packed = view.getUint32(21, true);
			return upright((packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1);
		}
		case 0x56503858: // "VP8X"
			return upright((view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1, webpOrientation(view));
		default:
			return null;
	}
}

/** EXIF is one of the chunks behind the picture. */
function webpOrientation(view: DataView): number {
	for (let at = 12; at + 8 <= view.byteLength; at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1)) {
		if (view.getUint32(at) !== 0x45584946) continue;
		const start = view.getUint32(at + 8) === 0x45786966 ? at + 14 : at + 8;
		return readTiff(view, start)?.orientation ?? 1;
	}
	return 1;
}

function readBmp(view: DataView): ImageHeader | null {
	if (view.getUint16(0) !== 0x424d) return null;
	if (view.getUint32(14, true) === 12) return upright(view.getUint16(18, true), view.getUint16(20, true)); // of OS/2
	return upright(Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true)));
}

/** TIFF tags that matter here, and no file has more tags than this in its first directory. */
const [widthTag, heightTag, orientationTag] = [256, 257, 274];
const tagsMax = 512;

/** Also the form EXIF data have, which then tell only the orientation. */
function readTiff(view: DataView, start: number): ImageHeader | null {
	const order = view.getUint16(start);
	if (order !== 0x4949 && order !== 0x4d4d) return null;
	const isLittle = order === 0x4949;
	if (view.getUint16(start + 2, isLittle) !== 42) return null;
	const directory = start + view.getUint32(start + 4, isLittle);
	const found = new Map<number, number>();
	for (let tag = 0; tag < Math.min(view.getUint16(directory, isLittle), tagsMax); tag++) {
		const at = directory + 2 + tag * 12;
		const isShort = view.getUint16(at + 2, isLittle) === 3;
		found.set(view.getUint16(at, isLittle), isShort ? view.getUint16(at + 8, isLittle) : view.getUint32(at + 8, isLittle));
	}
	return upright(found.get(widthTag) ?? 0, found.get(heightTag) ?? 0, found.get(orientationTag) ?? 1);
}
