/** From an address or a file to chunks: address readers, extractors, chunkers. */

import type { ChunkDraft } from "../../model/chunk.ts";
import type { About, DocumentType, Extraction } from "../../model/extraction.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Fetched } from "../host.ts";
import type { Step } from "./step.ts";

/** One thing to read. The bytes are fetched only when asked for. */
export interface ExtractorSource {
	/** The type that was detected from the bytes. */
	readonly mediaType: MediaType;
	/** The character set named by the server or the client, in lower case; null when none was named. */
	readonly charset: string | null;
	readonly fileName: string | null;
	/** The address it came from; relative links are resolved against it. */
	readonly address: URL | null;
	readonly byteLength: number;
	readonly bytes: () => Promise<Uint8Array>;
	/** The content, when it came as text and needs no decoding; null for a file. */
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
	/** The file begins with one of these. A file that does not is not of this type, whatever its name or the client says. */
	readonly magicBytes?: readonly Uint8Array[];
	/** A test of the first 8,192 bytes, where fixed magic bytes are not enough. It must be false for files of every other type. */
	readonly matchesBytes?: (head: Uint8Array) => boolean;
	/** The same for text: it gets the beginning, without byte order mark and leading blank lines, and with line feeds as line ends. */
	readonly matchesText?: (start: string) => boolean;
	/** A guess, for text that nothing else identifies. */
	readonly resembles?: (start: string) => boolean;
	/** Whether the signature applies to texts that came without a file as well. */
	readonly appliesToPasted?: boolean;
	/** Other formats are based on this one, as on XML, JSON or ZIP: a signature of a more specific format has priority. */
	readonly isGeneric?: boolean;
	/** The type that the bytes alone show: `application/zip` for a Word document. */
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
	/** Media types it reads; `image/*` is allowed and yields to `image/png`. */
	readonly accepts: readonly MediaType[];
	/** How its files are recognised. A type without a signature is only reached by a client's claim. */
	readonly signatures?: readonly FileSignature[];
	/** A further test of the source, where the media type alone does not decide. */
	readonly recognizes?: (source: ExtractorSource) => boolean;
	readonly extract: (source: ExtractorSource, step: Step) => Promise<Extraction>;
}

/**
 * Reads addresses whose content is better fetched elsewhere: a post from a public API, a document by its export link, a video's
 * captions. Any other address is downloaded as it is.
 */
export interface AddressReader {
	readonly name: string;
	/** Decides by the address alone, without a request. */
	readonly recognizes: (address: URL) => boolean;
	/**
	 * @returns null when it cannot read the address after all: then the next reader is asked.
	 * @throws ServiceError `ADDRESS_CHANGED` for an answer of another shape, `ADDRESS_PRIVATE`, `ADDRESS_GONE`, and what
	 * `host.fetch` throws; never an empty extraction.
	 */
	readonly read: (address: URL, step: Step) => Promise<AddressReading | null>;
}

export type AddressReading =
	| { readonly kind: "extraction"; readonly extraction: Extraction }
	/** Bytes for the extractors. What is `known` replaces what the extractor finds. */
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
	/** The wanted size; it replaces the chunker's default. */
	readonly charactersWanted?: number;
}

/** Splits an extraction into pieces that fit an embedder. */
export interface Chunker {
	readonly name: string;
	readonly accepts: readonly MediaType[];
	/** A further test of the extraction: whether it is a table, a transcript. */
	readonly recognizes?: (extraction: Extraction) => boolean;
	readonly chunk: (extraction: Extraction, limits: ChunkLimits, step: Step) => Promise<readonly ChunkDraft[]>;
}
