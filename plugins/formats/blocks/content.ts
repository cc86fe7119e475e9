/** What an engine is given and what it answers: a file's content, and the blocks that it holds. */

import type { Attachment, Extraction, PackedExtraction, Warning } from "cairn-memory";

/** What every engine of this folder answers. */
export interface SandboxResult extends Beside {
	readonly extraction: Extraction;
}

/** What an engine answers that writes its extraction down as it reads, see `createExtractionWriter`. */
export interface PackedSandboxResult extends Beside {
	readonly extraction: PackedExtraction;
}

interface Beside {
	readonly warnings: readonly Warning[];
	/** What is inside of it and is to become documents of their own. */
	readonly attachments?: readonly Attachment[];
}

/** The content as an engine takes it: text when it came as text, else bytes with the charset that came with them. */
export type Content =
	| { readonly text: string; readonly bytes: null; readonly charset: null }
	| { readonly text: null; readonly bytes: Uint8Array; readonly charset: string | null };

/** For engines that take nothing but the bytes of a file. */
export interface BytesInput {
	readonly bytes: Uint8Array;
}
