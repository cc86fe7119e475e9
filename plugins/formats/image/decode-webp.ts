/** Decodes WebP, the one common format MuPDF does not read, to a gray image. */

import { readFileSync } from "node:fs";
import decode, { init } from "@jsquash/webp/decode.js";
import { type GrayImage, rgbaToGray } from "../ocr/gray-image.ts";

/** The decoder creates an `ImageData`, which only browsers have. */
class Picture {
	readonly data: Uint8ClampedArray;
	readonly width: number;
	readonly height: number;

	constructor(data: Uint8ClampedArray, width: number, height: number) {
		this.data = data;
		this.width = width;
		this.height = height;
	}
}

let started: Promise<void> | null = null;

export async function decodeWebp(bytes: Uint8Array): Promise<GrayImage> {
	started ??= start();
	await started;
	const { data, width, height } = await decode(bytes.slice().buffer);
	return rgbaToGray(data, width, height);
}

/** Loads the WebAssembly from a file: by default the decoder would fetch it, and the sandbox has no network. */
async function start(): Promise<void> {
	if (!("ImageData" in globalThis)) Object.defineProperty(globalThis, "ImageData", { value: Picture });
	const wasmBinary = readFileSync(new URL(import.meta.resolve("@jsquash/webp/codec/dec/webp_dec.wasm")));
	await init({ wasmBinary: wasmBinary.buffer.slice(wasmBinary.byteOffset, wasmBinary.byteOffset + wasmBinary.byteLength) });
}
