/** The plugins that turn a URL or a file into chunks: address readers, extractors and chunkers. */

import type { ChunkDraft } from "../../model/chunk.ts";
import type { About, DocumentType, Extraction } from "../../model/extraction.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Fetched } from "../host.ts";
import type { Step } from "./step.ts";

/** A file or text to read. The bytes are loaded only when `bytes` is called. */
export interface ExtractorSource {
	/** The type that was detected from the bytes. */
	readonly mediaType: MediaType;
	/** The character set that the web server or the client stated, in lower case; null if none was stated. */
	readonly charset: string | null;
	readonly fileName: string | null;
	/** The URL it came from, against which relative links are resolved. */
	readonly address: URL | null;
	readonly byteLength: number;
	readonly bytes: () => Promise<Uint8Array>;
	/** The content, if it came as text and needs no decoding; null for a file. */
	readonly text: string | null;
}

/**
 * How files of one media type are recognised: by their bytes first, then, where the bytes are ambiguous, by their extension and the
 * client's claim. Bytes that are recognised as the format of another extractor, PDF for example, keep that type.
 */
export interface FileSignature {
	readonly mediaType: MediaType;
	/** Other names of the same type. */
	readonly aliases?: readonly MediaType[];
	/** File extensions, in lower case and without the dot. */
	readonly extensions?: readonly string[];
	/** The file must begin with one of these; otherwise it is not of this type, whatever its name or the client says. */
	readonly magicBytes?: readonly Uint8Array[];
	/** A test of the first 8,192 bytes, if fixed magic bytes are not enough. It must return false for files of every other type. */
	readonly matchesBytes?: (head: Uint8Array) => boolean;
	/** The same for text: it gets the beginning of the text, without byte order mark and leading blank lines, and with `\n` as line breaks. */
	readonly matchesText?: (start: string) => boolean;
	/** A heuristic test, for text that nothing else identifies. */
	readonly resembles?: (start: string) => boolean;
	/** Whether the signature also applies to texts that did not come as a file. */
	readonly appliesToPasted?: boolean;
	/** Whether other formats are based on this one, as on XML, JSON or ZIP. A signature of a more specific format then has priority. */
	readonly isGeneric?: boolean;
	/** The type that the bytes alone suggest, such as `application/zip` for a Word document. */
	readonly container?: MediaType;
	/** Patterns for entries of the ZIP: each must match one. */
	readonly zipEntries?: readonly RegExp[];
	/** The name of a stream in an OLE container. */
	readonly oleStream?: string;
}

/**
 * Turns a source into blocks of text.
 * @throws ServiceError of kind `unreadable` for damaged, empty or protected bytes; never anything else because of the bytes.
 */
export interface Extractor {
	readonly name: string;
	/** Media types that it reads. `image/*` is allowed; a more specific type such as `image/png` has priority. */
	readonly accepts: readonly MediaType[];
	/** How its files are recognised. A type without a signature is only reached by a client's claim. */
	readonly signatures?: readonly FileSignature[];
	/** A further test of the source, if the media type alone is not enough. */
	readonly recognizes?: (source: ExtractorSource) => boolean;
	readonly extract: (source: ExtractorSource, step: Step) => Promise<Extraction>;
	/**
	 * Draws a page, so that a person sees where a hit is. Absent for formats without pages to look at.
	 * @throws ServiceError `PAGE_MISSING` for a page after the last one; of kind `unreadable` for damaged or protected bytes.
	 */
	readonly drawPage?: (source: ExtractorSource, wanted: WantedPage, step: Step) => Promise<PagePicture>;
}

export interface WantedPage {
	/** From 1. */
	readonly page: number;
	/** In pixels. The picture has fewer if it would become too large. */
	readonly width: number;
}

export interface PagePicture {
	readonly bytes: Uint8Array;
	/** A type that browsers show: `image/jpeg`, `image/png` or `image/webp`. */
	readonly mediaType: MediaType;
	/** The size of the page in the units of `Place.box`. */
	readonly width: number;
	readonly height: number;
	/** How many pages the source has. */
	readonly pages: number;
}

/**
 * Reads URLs whose content is better fetched in another way: a post from a public API, a document by its export link, the captions of a
 * video. All other URLs are downloaded.
 */
export interface AddressReader {
	readonly name: string;
	/** Decides from the URL alone, without a request. */
	readonly recognizes: (address: URL) => boolean;
	/**
	 * @returns null if it cannot read the URL after all; then the next reader is asked. It never returns an empty extraction.
	 * @throws ServiceError `ADDRESS_CHANGED` for a response in an unexpected format, `ADDRESS_PRIVATE`, `ADDRESS_GONE`, and the errors of
	 * `host.fetch`.
	 */
	readonly read: (address: URL, step: Step) => Promise<AddressReading | null>;
}

export type AddressReading =
	| { readonly kind: "extraction"; readonly extraction: Extraction }
	/** Bytes for the extractors. The values in `known` replace those that the extractor finds. */
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
	/** The greatest length of a chunk's `indexedText`. */
	readonly charactersMax: number;
	/** The preferred length; it replaces the chunker's default. */
	readonly charactersWanted?: number;
}

/** Splits an extraction into pieces that fit an embedder. */
export interface Chunker {
	readonly name: string;
	readonly accepts: readonly MediaType[];
	/** A further test of the extraction, for example whether it is a transcript. */
	readonly recognizes?: (extraction: Extraction) => boolean;
	readonly chunk: (extraction: Extraction, limits: ChunkLimits, step: Step) => Promise<readonly ChunkDraft[]>;
}
