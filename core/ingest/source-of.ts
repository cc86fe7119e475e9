/** Bytes as a source: their media type is recognised from the bytes. */

import type { MediaType } from "../model/media-type.ts";
import type { ExtractorSource } from "../plugin/contract.ts";
import type { MediaTypes } from "../ports/media-types.ts";

/** What came along with the bytes. */
export interface Origin {
	readonly fileName: string | null;
	readonly claimedMediaType: MediaType | null;
	readonly charset: string | null;
	readonly address: URL | null;
}

export async function sourceOf(bytes: Uint8Array, { fileName, claimedMediaType, charset, address }: Origin, mediaTypes: MediaTypes): Promise<ExtractorSource> {
	const mediaType = await mediaTypes.ofBytes(bytes, fileName, claimedMediaType);
	return { mediaType, charset, fileName, address, byteLength: bytes.byteLength, bytes: async () => bytes, text: null };
}
