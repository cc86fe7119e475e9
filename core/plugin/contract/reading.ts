/** From an address or a file to chunks: address readers, extractors, chunkers. */

import type { ChunkDraft } from "../../model/chunk.ts";
import type { About, DocumentType, Extraction } from "../../model/extraction.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Fetched } from "../host.ts";
import type { Step } from "./step.ts";

/** One thing to read. The bytes are fetched only when asked for. */
export interface ExtractorSource {
	/** What the bytes are, found by looking at them. */
	readonly mediaType: MediaType;
	/** The character set that came with it, lower case; null when none was named. */
	readonly charset: string | null;
	readonly fileName: string | null;
	/** Where it came from, for links that are relative to it. */
	readonly address: URL | null;
	readonly byteLength: number;
	readonly bytes: () => Promise<Uint8Array>;
	/** The content, when it was handed in as text and needs no decoding. */
	readonly text: string | null;
}

/**
 * How files of one media type are recognised: by their bytes first, then by their name and a client's claim where the bytes leave
 * it open. Bytes of a format that another extractor reads, a PDF for example, keep their type.
 */
export interface FileSign {
	readonly mediaType: MediaType;
	/** Other names of the same type. */
	readonly aliases?: readonly MediaType[];
	/** Endings of their names, in lower case and without the dot. */
	readonly endings?: readonly string[];
	/** How they begin: one of these. What begins otherwise is not of this type, whatever its name or a client says. */
	readonly begins?: readonly Uint8Array[];
	/** A look at their first 8,192 bytes, where fixed ones do not tell. No file of another type may pass. */
	readonly shows?: (head: Uint8Array) => boolean;
	/** The same for text: its beginning, without a byte order mark and blank lines, lines ending with a line feed. */
	readonly says?: (start: string) => boolean;
	/** A guess, for text that neither its marks nor its name tell. */
	readonly resembles?: (start: string) => boolean;
	/** Whether texts are looked at as well that were handed in as text. Other signs are for files alone. */
	readonly isPasted?: boolean;
	/** Many formats are based on it, as on XML, JSON or ZIP: a plugin that knows one of them has priority. */
	readonly isOpen?: boolean;
	/** What the bytes of a file of this type show to be: a document of Word is a ZIP. */
	readonly within?: MediaType;
	/** Names inside of a ZIP, all of which are in files of this type. */
	readonly holds?: readonly RegExp[];
	/** The name of a stream in an OLE container. */
	readonly stream?: string;
}

/**
 * Turns a source into blocks of text.
 * @throws ServiceError of kind `unreadable` for damaged, empty or protected bytes; never anything else because of the bytes.
 */
export interface Extractor {
	readonly name: string;
	/** Media types it reads; `image/*` is allowed and yields to `image/png`. */
	readonly accepts: readonly MediaType[];
	/** How its files are recognised. Without a sign for a type, only a client's claim leads to it. */
	readonly signs?: readonly FileSign[];
	/** A second look, for when the media type alone does not tell. */
	readonly recognizes?: (source: ExtractorSource) => boolean;
	readonly extract: (source: ExtractorSource, step: Step) => Promise<Extraction>;
}

/**
 * Knows where the words behind an address really stand: a post in a public API, a document behind its export link, speech in
 * captions. Any other address is downloaded as it is.
 */
export interface AddressReader {
	readonly name: string;
	/** By the address alone, without a request. */
	readonly recognizes: (address: URL) => boolean;
	/**
	 * @returns null when the address only looked like one of its own: then the next reader is asked.
	 * @throws ServiceError `ADDRESS_CHANGED` for an answer of another shape, `ADDRESS_PRIVATE`, `ADDRESS_GONE`, and what
	 * `host.fetch` throws; never an empty extraction.
	 */
	readonly read: (address: URL, step: Step) => Promise<AddressReading | null>;
}

export type AddressReading =
	| { readonly kind: "extraction"; readonly extraction: Extraction }
	/** Bytes for the extractors. What is known of them stands in place of what the extractor finds. */
	| {
			readonly kind: "bytes";
			readonly content: Pick<Fetched, "bytes" | "fileName" | "claimedMediaType" | "charset">;
			readonly known: {
				readonly type?: DocumentType;
				readonly title?: string;
				readonly description?: string;
				readonly language?: string;
				readonly about?: About;
			};
	  };

export interface ChunkLimits {
	/** The most characters a chunk's `indexedText` may have. */
	readonly charactersMax: number;
	/** The wanted size; it replaces the chunker's own. */
	readonly charactersWanted?: number;
}

/** Cuts an extraction into pieces that fit an embedder. */
export interface Chunker {
	readonly name: string;
	readonly accepts: readonly MediaType[];
	/** A second look, by the shape of what was extracted: a table, a transcript. */
	readonly recognizes?: (extraction: Extraction) => boolean;
	readonly chunk: (extraction: Extraction, limits: ChunkLimits, step: Step) => Promise<readonly ChunkDraft[]>;
}
