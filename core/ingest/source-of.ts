/** Makes the input of an extractor from bytes, with the media type detected from them. */

import type { MediaType } from "../model/media-type.ts";
import type { ExtractorSource } from "../plugin/contract.ts";
import type { MediaTypes } from "../ports/media-types.ts";

/** What is known about the bytes besides their content. */
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
