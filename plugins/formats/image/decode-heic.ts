/** Decodes HEIC, the pictures of iPhones, to a grey image. Its rotation is applied. */

import { readFileSync } from "node:fs";
import { fail } from "cairn-memory";
import type { HeifImage, LibHeif } from "libheif-js/libheif-wasm/libheif.js";
import createLibHeif from "libheif-js/libheif-wasm/libheif.js";
import { type GrayImage, rgbaToGray } from "../ocr/gray-image.ts";
import { checkedSize } from "./image-header.ts";

let library: Promise<LibHeif> | null = null;

export async function decodeHeic(bytes: Uint8Array): Promise<GrayImage> {
	library ??= startLibrary();
	const decoder = new (await library).HeifDecoder();
	const images = decoder.decode(bytes);
	const image = images.find((each) => each.is_primary()) ?? images[0];
	if (image === undefined) throw fail("FILE_BROKEN", "it has no picture");
	try {
		// The header may have told another size.
		const { width, height } = checkedSize({ width: image.get_width(), height: image.get_height() });
		return rgbaToGray(await pixelsOf(image, width, height), width, height);
	} finally {
		for (const each of images) each.free();
	}
}

function pixelsOf(image: HeifImage, width: number, height: number): Promise<Uint8ClampedArray> {
	const picture = { data: new Uint8ClampedArray(width * height * 4), width, height };
	return new Promise((resolve, reject) => {
		image.display(picture, (shown) => (shown === null ? reject(fail("FILE_BROKEN", "the picture cannot be decoded")) : resolve(shown.data)));
	});
}

/** Loads the WebAssembly from a file: the sandbox has no network. */
async function startLibrary(): Promise<LibHeif> {
	const started = createLibHeif({ wasmBinary: readFileSync(new URL(import.meta.resolve("libheif-js/libheif-wasm/libheif.wasm"))) });
	await started.ready;
	return started;
}
