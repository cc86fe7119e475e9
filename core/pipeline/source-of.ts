/** Bytes as a source: their kind is told by looking at them. */

import type { MediaType } from "../model/media-type.ts";
import type { Source } from "../plugin/contract.ts";
import type { MediaTypes } from "../ports/media-types.ts";

/** Media types are told from the first bytes; this many are enough for every format we know. */
const headBytes = 8_192;

/** What came along with the bytes. */
export interface Origin {
	readonly fileName: string | null;
	readonly claimedMediaType: MediaType | null;
	readonly charset: string | null;
	readonly address: URL | null;
}

export async function sourceOf(bytes: Uint8Array, { fileName, claimedMediaType, charset, address }: Origin, mediaTypes: MediaTypes): Promise<Source> {
	const mediaType = await mediaTypes.ofBytes(bytes.subarray(0, headBytes), fileName, claimedMediaType);
	return { mediaType, charset, fileName, address, byteLength: bytes.byteLength, bytes: async () => bytes, text: null };
}
