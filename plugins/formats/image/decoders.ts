/** The decoders of formats that MuPDF does not read. */

import type { GrayImage } from "../ocr/gray-image.ts";
import { decodeAvif } from "./decode-avif.ts";
import { decodeHeic } from "./decode-heic.ts";
import { decodeWebp } from "./decode-webp.ts";

export type Decode = (bytes: Uint8Array) => Promise<GrayImage>;

const decoders: Readonly<Record<string, Decode>> = { "image/webp": decodeWebp, "image/avif": decodeAvif, "image/heic": decodeHeic };

/** Null for a format that MuPDF reads. */
export function decoderOf(mediaType: string): Decode | null {
	return decoders[mediaType] ?? null;
}
