/** What core passes to every call of a plugin. */

import type { Progress } from "../../model/document.ts";
import type { Place } from "../../model/extraction.ts";
import type { MediaType } from "../../model/media-type.ts";
import type { Log } from "../../ports/world.ts";
import type { ModelClient } from "./language-model.ts";

/** What a plugin may use during a call: a signal to stop, warnings, a log, progress. */
export interface Step {
	readonly signal: AbortSignal;
	readonly log: Log;
	/** Notes something odd about the document without failing it. */
	readonly warn: (code: string, message: string, place?: Place) => void;
	/** Reports the progress of a long call. Cheap; may be called for every page. */
	readonly progress: (progress: Progress) => void;
	/** The language model, where one is configured and may be asked for this. */
	readonly model?: ModelClient;
	/** Reports what an embedder's answer cost, if anything; it is written to the ledger. */
	readonly spent?: (spent: EmbeddingSpent) => void;
	/**
	 * Hands over an attachment, which becomes a document of its own. For extractors only. It is durable when
	 * this resolves; several may be handed over at once. @returns false when it is left out; core has added a warning.
	 */
	readonly attachment?: (attachment: Attachment) => Promise<boolean>;
}

/** A file inside a document: an entry of an archive, an attachment of a mail, an embedded workbook. */
export interface Attachment {
	/** The path inside the document, with slashes, as far as it is known; the same at every extraction. Core cleans it and makes it unique. */
	readonly path: string;
	readonly bytes: Uint8Array;
	/** What the document says it is; null when it does not say. */
	readonly claimedMediaType: MediaType | null;
}

export interface EmbeddingSpent {
	/** The embedder's name. */
	readonly embedder: string;
	/** As the service counts them. */
	readonly tokens: number;
	/** By the operator's price; 0 where there is none. */
	readonly cost: number;
}
