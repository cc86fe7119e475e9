/** Decodes WebP to a grey image. */

import { readFileSync } from "node:fs";
import decode, { init } from "@jsquash/webp/decode.js";
import { type GrayImage, rgbaToGray } from "../ocr/gray-image.ts";
import { defineImageData } from "./image-data-stub.ts";

let initialization: Promise<void> | null = null;

export async function decodeWebp(bytes: Uint8Array): Promise<GrayImage> {
	initialization ??= initDecoder();
	await initialization;
	const { data, width, height } = await decode(bytes.slice().buffer);
	return rgbaToGray(data, width, height);
}

/** Loads the WebAssembly from a file. By default the decoder would fetch it, but the sandbox has no network. */
async function initDecoder(): Promise<void> {
	defineImageData();
	const wasmBinary = readFileSync(new URL(import.meta.resolve("@jsquash/webp/codec/dec/webp_dec.wasm")));
	await init({ wasmBinary: wasmBinary.buffer.slice(wasmBinary.byteOffset, wasmBinary.byteOffset + wasmBinary.byteLength) });
}
