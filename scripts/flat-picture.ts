/**
 * A picture of a page in fewer bytes: `bun scripts/flat-picture.ts FILE.png…` writes a WebP beside each, without loss but for its colours: the
 * most frequent stay. Pages have few colours; the others are shades at the edges of letters and get the nearest of these.
 */

import { readFileSync } from "node:fs";
import encode, { init } from "@jsquash/webp/encode.js";
import { ColorSpace, Image } from "mupdf";

/** Enough for a page of text. */
const fewColours = 16;

export interface Pixels {
	readonly width: number;
	readonly height: number;
	/** Each pixel as one number, 0xrrggbb. */
	readonly colours: Uint32Array;
}

export async function flatPicture(png: Uint8Array, coloursMax = fewColours): Promise<Uint8Array> {
	const [flat] = flattened([pixelsOf(png)], coloursMax);
	if (flat === undefined) throw new Error("there is no picture");
	return encodeWebp(flat);
}

export function pixelsOf(png: Uint8Array): Pixels {
	const read = new Image(png).toPixmap();
	if (read.getAlpha() !== 0) throw new Error("the picture has transparent places, which would be lost");
	const pixmap = read.convertToColorSpace(ColorSpace.DeviceRGB);
	const [width, height, stride, bytes] = [pixmap.getWidth(), pixmap.getHeight(), pixmap.getStride(), pixmap.getPixels()];
	const colours = new Uint32Array(width * height);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const at = y * stride + x * 3;
			colours[y * width + x] = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
		}
	}
	return { width, height, colours };
}

/** The pictures in the most frequent colours of all of them. */
export function flattened<Picture extends Pixels>(pictures: readonly Picture[], coloursMax = fewColours): readonly Picture[] {
	const palette = paletteOf(pictures, coloursMax);
	const nearest = createNearest(palette);
	return pictures.map((picture) => ({ ...picture, colours: picture.colours.map(nearest) }));
}

function paletteOf(pictures: readonly Pixels[], coloursMax: number): readonly number[] {
	const counts = new Map<number, number>();
	for (const { colours } of pictures) for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
	return [...counts]
		.sort((a, b) => b[1] - a[1])
		.slice(0, coloursMax)
		.map(([colour]) => colour);
}

/** @returns the colour of the palette that differs least from a colour */
function createNearest(palette: readonly number[]): (colour: number) => number {
	const known = new Map(palette.map((colour) => [colour, colour]));
	return (colour) => {
		const before = known.get(colour);
		if (before !== undefined) return before;
		const differences = palette.map((other) => channelsOf(other).reduce((sum, channel, i) => sum + (channel - (channelsOf(colour)[i] ?? 0)) ** 2, 0));
		const nearest = palette[differences.indexOf(Math.min(...differences))] ?? colour;
		known.set(colour, nearest);
		return nearest;
	};
}

function channelsOf(colour: number): readonly [number, number, number] {
	return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];
}

let isStarted = false;

/** Without loss. */
export async function encodeWebp({ width, height, colours }: Pixels): Promise<Uint8Array> {
	if (!isStarted) await init({ wasmBinary: readFileSync(new URL(import.meta.resolve("@jsquash/webp/codec/enc/webp_enc_simd.wasm"))).buffer });
	isStarted = true;
	const data = new Uint8ClampedArray(width * height * 4);
	for (const [i, colour] of colours.entries()) data.set([...channelsOf(colour), 255], i * 4);
	return new Uint8Array(await encode({ data, width, height, colorSpace: "srgb" } as ImageData, { lossless: 1, method: 4, quality: 75 }));
}

if (import.meta.main) {
	for (const path of Bun.argv.slice(2)) {
		const before = await Bun.file(path).bytes();
		const after = await flatPicture(before);
		await Bun.write(path.replace(/\.png$/, ".webp"), after);
		console.log(`${path}: ${before.length} → ${after.length}`);
	}
}
