/** Decodes AVIF to a grey image. */

import { readFileSync } from "node:fs";
import decode, { init } from "@jsquash/avif/decode.js";
import { fail } from "cairn-memory";
import { type GrayImage, rgbaToGray } from "../ocr/gray-image.ts";
import { defineImageData } from "./image-data-stub.ts";
import { checkedSize } from "./image-header.ts";

let initialization: Promise<void> | null = null;

export async function decodeAvif(bytes: Uint8Array): Promise<GrayImage> {
	initialization ??= initDecoder();
	await initialization;
	const image = await decode(bytes.slice().buffer);
	if (image === null) throw fail("FILE_BROKEN", "the picture cannot be decoded");
	checkedSize(image);
	return rgbaToGray(image.data, image.width, image.height);
}

/** Loads the WebAssembly from a file. By default the decoder would fetch it, but the sandbox has no network. */
async function initDecoder(): Promise<void> {
	defineImageData();
	await init({ wasmBinary: new Uint8Array(readFileSync(new URL(import.meta.resolve("@jsquash/avif/codec/dec/avif_dec.wasm")))).buffer });
}
