/** The content that a client sent: a text, a URL to fetch, or a file that is in the blob store already. */

import type { MediaType } from "./media-type.ts";
import type { AttachmentOrigin } from "./reserved-custom-ids.ts";

export interface TextContent {
	readonly kind: "text";
	readonly text: string;
	/** `text/plain`, or a more precise type from the client or the server, such as `text/markdown`. */
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
	/** The client's name for the file: a display name, never a path to open. */
	readonly fileName: string | null;
	/** The client's media type. The pipeline checks it against the bytes. */
	readonly claimedMediaType: MediaType | null;
	readonly byteLength: number;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
	/** The character set that the client or the web server stated; absent if none was stated. */
	readonly charset?: string;
	/** The URL from which the bytes were fetched. Relative links are resolved against it. */
	readonly address?: string;
	/** The document that contains this file, for an attachment. The key `member` is stored in the database, so it keeps its old name. */
	readonly member?: AttachmentOrigin;
}

export type Content = TextContent | AddressContent | FileContent;
