/** Grey-scale images for OCR: conversion from RGBA, scaling, rotation. */

export interface GrayImage {
	readonly data: Uint8Array;
	readonly width: number;
	readonly height: number;
}

/** Converts RGBA to grey. Transparent pixels become white. */
export function rgbaToGray(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number): GrayImage {
	const data = new Uint8Array(width * height);
	for (let pixel = 0, offset = 0; pixel < data.length; pixel++, offset += 4) {
		const alpha = (rgba[offset + 3] ?? 255) / 255;
		const luma = 0.299 * (rgba[offset] ?? 0) + 0.587 * (rgba[offset + 1] ?? 0) + 0.114 * (rgba[offset + 2] ?? 0);
		data[pixel] = luma * alpha + 255 * (1 - alpha) + 0.5;
	}
	return { data, width, height };
}

/** Converts to RGBA, which the OCR engine requires. */
export function grayToRgba({ data, width, height }: GrayImage): {
	readonly data: Uint8ClampedArray<ArrayBuffer>;
	readonly width: number;
	readonly height: number;
} {
	const pixels = new Uint32Array(data.length);
	for (let pixel = 0; pixel < data.length; pixel++) pixels[pixel] = (data[pixel] ?? 0) * 0x010101 + 0xff000000;
	return { data: new Uint8ClampedArray(pixels.buffer), width, height };
}

/** Applies an EXIF orientation: 1 is upright, 3 upside down, 6 and 8 rotated by 90°, the others mirrored. */
export function rotateUpright(image: GrayImage, orientation: number): GrayImage {
	if (orientation <= 1 || orientation > 8) return image;
	const { data, width, height } = image;
	const isSideways = orientation >= 5;
	const rotated = { data: new Uint8Array(data.length), width: isSideways ? height : width, height: isSideways ? width : height };
	const startsAtRight = [2, 3, 7, 8].includes(orientation);
	const startsAtBottom = [3, 4, 6, 7].includes(orientation);
	const column = startsAtRight ? -1 : 1;
	const row = startsAtBottom ? -width : width;
	const [stepX, stepY] = isSideways ? [row, column] : [column, row];
	const firstPositions = (startsAtRight ? width - 1 : 0) + (startsAtBottom ? (height - 1) * width : 0);
	// Plain arithmetic without objects: a pair of coordinates for each of millions of pixels would be 200 MB of garbage.
	for (let y = 0, index = 0; y < rotated.height; y++) {
		for (let x = 0, from = firstPositions + y * stepY; x < rotated.width; x++, index++, from += stepX) rotated.data[index] = data[from] ?? 0;
	}
	return rotated;
}

/** Whether the image is blank: one shade, apart from a little noise. */
export function isUniform({ data }: GrayImage): boolean {
	let [darkest, lightest] = [255, 0];
	// Loops by index, since an iterator would create an object for each of millions of pixels.
	for (let pixel = 0; pixel < data.length; pixel++) {
		const shade = data[pixel] ?? 0;
		if (shade < darkest) darkest = shade;
		if (shade > lightest) lightest = shade;
	}
	return lightest - darkest < 16;
}

/** Scales an image with Lanczos resampling of three lobes, which keeps the edges of small letters sharp. */
export function resize(image: GrayImage, factor: number): GrayImage {
	const width = Math.max(1, Math.round(image.width * factor));
	const height = Math.max(1, Math.round(image.height * factor));
	return resizeRows(resizeColumns(image, width), height);
}

interface Taps {
	/** The first source position of each target position. */
	readonly firstPositions: Int32Array;
	/** The weights of the source positions: `count` for each target position. */
	readonly weights: Float32Array;
	readonly count: number;
}

function filterTaps(source: number, target: number): Taps {
	const scale = source / target;
	const reach = 3 * Math.max(scale, 1);
	const count = Math.ceil(reach * 2) + 1;
	const firstPositions = new Int32Array(target);
	const weights = new Float32Array(target * count);
	for (let index = 0; index < target; index++) {
		const centre = (index + 0.5) * scale - 0.5;
		const begin = Math.ceil(centre - reach);
		firstPositions[index] = begin;
		let sum = 0;
		for (let tap = 0; tap < count; tap++) sum += weights[index * count + tap] = lanczos((begin + tap - centre) / Math.max(scale, 1));
		for (let tap = 0; tap < count; tap++) weights[index * count + tap] = (weights[index * count + tap] ?? 0) / sum;
	}
	return { firstPositions, weights, count };
}

function lanczos(x: number): number {
	if (x === 0) return 1;
	if (Math.abs(x) >= 3) return 0;
	const angle = Math.PI * x;
	return (3 * Math.sin(angle) * Math.sin(angle / 3)) / (angle * angle);
}

function resizeColumns({ data, width, height }: GrayImage, target: number): GrayImage {
	const { firstPositions, weights, count } = filterTaps(width, target);
	const scaled = new Uint8ClampedArray(target * height);
	for (let y = 0, index = 0; y < height; y++) {
		for (let x = 0; x < target; x++, index++) {
			let sum = 0;
			for (let tap = 0, column = firstPositions[x] ?? 0; tap < count; tap++, column++)
				sum += (weights[x * count + tap] ?? 0) * (data[y * width + clamp(column, width)] ?? 0);
			scaled[index] = sum;
		}
	}
	return { data: new Uint8Array(scaled.buffer), width: target, height };
}

/** Resizes row by row, so that memory is read sequentially. */
function resizeRows({ data, width, height }: GrayImage, target: number): GrayImage {
	const { firstPositions, weights, count } = filterTaps(height, target);
	const scaled = new Uint8ClampedArray(width * target);
	const sums = new Float32Array(width);
	for (let y = 0; y < target; y++) {
		sums.fill(0);
		for (let tap = 0; tap < count; tap++) {
			const weight = weights[y * count + tap] ?? 0;
			if (weight === 0) continue;
			const from = clamp((firstPositions[y] ?? 0) + tap, height) * width;
			for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + weight * (data[from + x] ?? 0);
		}
		scaled.set(sums, y * width);
	}
	return { data: new Uint8Array(scaled.buffer), width, height: target };
}

function clamp(position: number, length: number): number {
	return Math.min(Math.max(position, 0), length - 1);
}
