/**
 * A picture of a page in fewer bytes: `bun scripts/flat-png.ts FILE…` writes one byte a pixel, an index into the 16 most frequent colours.
 * Pages have few colours; the others are shades at the edges of letters and get the nearest of these. Rows have no filters, which suits
 * large areas of one colour. A picture that would grow stays as it is.
 */

import { crc32, deflateSync } from "node:zlib";
import { ColorSpace, Image } from "mupdf";

const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const indexedColour = 3;
const coloursMax = 16;

export function flatPng(png: Uint8Array): Uint8Array {
	const read = new Image(png).toPixmap();
	// Transparency would be lost.
	if (read.getAlpha() !== 0) return png;
	const pixmap = read.convertToColorSpace(ColorSpace.DeviceRGB);
	const [width, height] = [pixmap.getWidth(), pixmap.getHeight()];
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, indexedColour, 0, 0, 0], 8);
	const colours = coloursOf(pixmap.getPixels(), width, height, pixmap.getStride());
	const palette = paletteOf(colours);
	const indexOf = createNearest(palette);
	const rows = Buffer.alloc(height * (width + 1));
	for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = indexOf(colours[y * width + x] ?? 0);
	const flat = Buffer.concat([
		signature,
		part("IHDR", header),
		part("PLTE", Buffer.from(palette.flatMap(channelsOf))),
		part("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
		part("IEND", Buffer.alloc(0)),
	]);
	return flat.length < png.length ? flat : png;
}

/** Each pixel as one number, 0xrrggbb. */
function coloursOf(bytes: Uint8ClampedArray | Uint8Array, width: number, height: number, stride: number): Uint32Array {
	const colours = new Uint32Array(width * height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = y * stride + x * 3;
			colours[y * width + x] = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
		}
	}
	return colours;
}

/** The most frequent first. */
function paletteOf(colours: Uint32Array): readonly number[] {
	const counts = new Map<number, number>();
	for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	return [...counts]
		.sort((a, b) => b[1] - a[1])
		.slice(0, coloursMax)
		.map(([colour]) => colour);
}

/** @returns the index of the colour in the palette that differs least from a colour */
function createNearest(palette: readonly number[]): (colour: number) => number {
	const known = new Map(palette.map((colour, index) => [colour, index]));
	return (colour) => {
		const before = known.get(colour);
		if (before !== undefined) return before;
		const differences = palette.map((other) => channelsOf(other).reduce((sum, channel, i) => sum + (channel - (channelsOf(colour)[i] ?? 0)) ** 2, 0));
		const index = differences.indexOf(Math.min(...differences));
		known.set(colour, index);
		return index;
	};
}

function channelsOf(colour: number): readonly [number, number, number] {
	return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
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
