/**
 * The same picture in fewer bytes: `bun scripts/flat-png.ts FILE…` writes rows without filters, which suits pictures of pages, where
 * most is of one colour. Chromium writes for speed. A picture that would grow stays as it is.
 */

import { crc32, deflateSync } from "node:zlib";
import { ColorSpace, Image } from "mupdf";

const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const trueColour = 2;
const bytesPerPixel = 3;

export function flatPng(png: Uint8Array): Uint8Array {
	const read = new Image(png).toPixmap();
	// What is see-through cannot be left out.
	if (read.getAlpha() !== 0) return png;
	const pixels = read.convertToColorSpace(ColorSpace.DeviceRGB);
	const [width, height] = [pixels.getWidth(), pixels.getHeight()];
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, trueColour, 0, 0, 0], 8);
	const rows = Buffer.alloc(height * (width * bytesPerPixel + 1));
	for (let y = 0; y < height; y++) {
		const from = y * pixels.getStride();
		rows.set(pixels.getPixels().subarray(from, from + width * bytesPerPixel), y * (width * bytesPerPixel + 1) + 1);
	}
	const flat = Buffer.concat([signature, part("IHDR", header), part("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })), part("IEND", Buffer.alloc(0))]);
	return flat.length < png.length ? flat : png;
}

function part(name: string, data: Uint8Array): Buffer {
	const named = Buffer.concat([Buffer.from(name), data]);
	const ends = Buffer.alloc(8);
	ends.writeUInt32BE(data.length, 0);
	ends.writeUInt32BE(crc32(named), 4);
	return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

if (import.meta.main) {
	for (const path of Bun.argv.slice(2)) {
		const before = await Bun.file(path).bytes();
		const after = flatPng(before);
		await Bun.write(path, after);
		console.log(`${path}: ${before.length} → ${after.length}`);
	}
}
