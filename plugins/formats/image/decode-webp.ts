/** Decodes WebP to a grey image. It is the only common format that MuPDF does not read. */

import { readFileSync } from "node:fs";
import decode, { init } from "@jsquash/webp/decode.js";
import { type GrayImage, rgbaToGray } from "../ocr/gray-image.ts";

/** Stands in for the browser class `ImageData`, which the decoder creates. */
class ImageDataStub {
	readonly data: Uint8ClampedArray;
	readonly width: number;
	readonly height: number;

	constructor(data: Uint8ClampedArray, width: number, height: number) {
		this.data = data;
		this.width = width;
		this.height = height;
	}
}

let initialization: Promise<void> | null = null;

export async function decodeWebp(bytes: Uint8Array): Promise<GrayImage> {
	initialization ??= initDecoder();
	await initialization;
	const { data, width, height } = await decode(bytes.slice().buffer);
	return rgbaToGray(data, width, height);
}

/** Loads the WebAssembly from a file. By default the decoder would fetch it, but the sandbox has no network. */
async function initDecoder(): Promise<void> {
	if (!("ImageData" in globalThis)) Object.defineProperty(globalThis, "ImageData", { value: ImageDataStub });
	const wasmBinary = readFileSync(new URL(import.meta.resolve("@jsquash/webp/codec/dec/webp_dec.wasm")));
	await init({ wasmBinary: wasmBinary.buffer.slice(wasmBinary.byteOffset, wasmBinary.byteOffset + wasmBinary.byteLength) });
}
