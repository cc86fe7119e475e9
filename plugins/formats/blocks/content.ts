/** The input and output types of format engines: a file's content, and the blocks read from it. */

import type { Attachment, Extraction, PackedExtraction, Warning } from "cairn-memory";

/** The output of an engine. */
export interface SandboxResult extends Beside {
	readonly extraction: Extraction;
}

/** The output of an engine that writes its extraction while it reads, see `createExtractionWriter`. */
export interface PackedSandboxResult extends Beside {
	readonly extraction: PackedExtraction;
}

interface Beside {
	readonly warnings: readonly Warning[];
	/** Files inside, which become documents of their own. */
	readonly attachments?: readonly Attachment[];
}

/** The content of a file: text when it came as text, else bytes with their charset. */
export type Content =
	| { readonly text: string; readonly bytes: null; readonly charset: null }
	| { readonly text: null; readonly bytes: Uint8Array; readonly charset: string | null };

/** For engines that need only the bytes of a file. */
export interface BytesInput {
	readonly bytes: Uint8Array;
}
