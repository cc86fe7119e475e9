/** Telling what bytes or a text are, by their content rather than their name. */

import type { MediaType } from "../model/media-type.ts";

export interface MediaTypes {
	/** `head` is the beginning of the bytes, at least 4,100 of them where there are as many. */
	readonly ofBytes: (head: Uint8Array, fileName: string | null, claimed: MediaType | null) => Promise<MediaType>;
	/** Markdown, a whole HTML page, a chat or plain text. */
	readonly ofText: (text: string) => MediaType;
}
