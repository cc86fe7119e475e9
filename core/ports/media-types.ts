/** Recognises media types by content rather than by file name. */

import type { MediaType } from "../model/media-type.ts";

export interface MediaTypes {
	/** The media type of the bytes. The file name and the sender's media type are used only if the bytes are ambiguous. */
	readonly ofBytes: (bytes: Uint8Array, fileName: string | null, claimed: MediaType | null) => Promise<MediaType>;
	/** The media type of a text: Markdown, a whole HTML page, a chat or plain text. */
	readonly ofText: (text: string) => MediaType;
	/** The common name of a media type, such as `Microsoft XPS document`; null if there is none. */
	readonly nameOf: (type: MediaType) => string | null;
}
