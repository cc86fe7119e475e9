/** The input and output types of format engines: a file's content, and the blocks read from it. */

import type { Attachment, Extraction, Warning } from "cairn-memory";
import type { PackedExtraction } from "cairn-memory/words";

/** The output of an engine. */
export interface SandboxResult extends ResultBase {
	readonly extraction: Extraction;
}

/** The output of an engine that writes its extraction while it reads, see `createExtractionWriter`. */
export interface PackedSandboxResult extends ResultBase {
	readonly extraction: PackedExtraction;
}

interface ResultBase {
	readonly warnings: readonly Warning[];
	/** Files found inside the file. Each becomes a document of its own. */
	readonly attachments?: readonly Attachment[];
}

/** The content of a file: text if a client sent text, otherwise bytes and the charset they were declared with, if any. */
export type Content =
	| { readonly text: string; readonly bytes: null; readonly charset: null }
	| { readonly text: null; readonly bytes: Uint8Array; readonly charset: string | null };

/** For engines that need only the bytes of a file. */
export interface BytesInput {
	readonly bytes: Uint8Array;
}
