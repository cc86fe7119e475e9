/** Recognises bytes and texts by their content rather than their name. */

import type { MediaType } from "../model/media-type.ts";

export interface MediaTypes {
	/** What the bytes are. The name and the claim of who sent them count where the bytes leave it open. */
	readonly ofBytes: (bytes: Uint8Array, fileName: string | null, claimed: MediaType | null) => Promise<MediaType>;
	/** Markdown, a whole HTML page, a chat or plain text. */
	readonly ofText: (text: string) => MediaType;
	/** The name people use, such as `Microsoft XPS document`; null when there is none. */
	readonly nameOf: (type: MediaType) => string | null;
}
