/** What a client handed in: a text, an address to fetch, or a file that is in the blob store already. */

import type { MediaType } from "./media-type.ts";
import type { AttachmentOrigin } from "./own-custom-ids.ts";

export interface TextContent {
	readonly kind: "text";
	readonly text: string;
	/** `text/plain` unless the client or the server knows better, `text/markdown` say. */
	readonly mediaType: MediaType;
}

export interface AddressContent {
	readonly kind: "address";
	readonly url: string;
}

export interface FileContent {
	readonly kind: "file";
	/** The key of the bytes in the blob store. */
	readonly blob: string;
	/** As the client named it: text only, never a path. */
	readonly fileName: string | null;
	/** What the client claimed; the pipeline looks at the bytes before it believes it. */
	readonly claimedMediaType: MediaType | null;
	readonly byteLength: number;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
	/** The character set that came with it, where one was named. */
	readonly charset?: string;
	/** Where the bytes were fetched, for links that are relative to it. */
	readonly address?: string;
	/** The document it was taken out of, for an attachment. The key is stored, so it keeps its older name. */
	readonly member?: AttachmentOrigin;
}

export type Content = TextContent | AddressContent | FileContent;
