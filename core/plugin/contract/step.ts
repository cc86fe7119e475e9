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
	/** Adds a warning to the document, which is processed nevertheless. */
	readonly warn: (code: string, message: string, place?: Place) => void;
	/** Reports the progress of a long call. It is cheap and may be called for every page. */
	readonly progress: (progress: Progress) => void;
	/** The language model, if one is configured and may be used for this task. */
	readonly model?: ModelClient;
	/**
	 * An access token of the connection's sign-in. For connectors with `signIn` only; a token lives for minutes, so ask before every request.
	 * @param refused the token that the service has just refused, to get a new one.
	 * @throws ServiceError `CONNECTION_UNAUTHORIZED` if somebody has to sign in again.
	 */
	readonly accessToken?: (refused?: string) => Promise<string>;
	/**
	 * Asks for another sync after so many milliseconds, if the next one is due later: for what could not be read for a moment. The shortest of
	 * several counts; it is five minutes at least, and as long as it is since the last sync of everything. For connectors only.
	 */
	readonly tryAgain?: (afterMs: number) => void;
	/** Whether the sync comes before its time, because the one before has asked for it: what was read then need not be looked at again. */
	readonly isRetry?: boolean;
	/** Reports what an embedding call has cost, if anything. The cost is written to the ledger. */
	readonly spent?: (spent: EmbeddingSpent) => void;
	/**
	 * Passes on an attachment, which becomes a separate document. For extractors only. The attachment is durable when the promise
	 * resolves; several calls may run concurrently. @returns false if it was left out; core has then added a warning.
	 */
	readonly attachment?: (attachment: Attachment) => Promise<boolean>;
}

/** A file inside a document: an entry of an archive, an attachment of a mail, an embedded workbook. */
export interface Attachment {
	/** The path inside the document, with slashes, if known; the same at every extraction. Core cleans it and makes it unique. */
	readonly path: string;
	readonly bytes: Uint8Array;
	/** The media type that the document states; null if it states none. */
	readonly claimedMediaType: MediaType | null;
}

export interface EmbeddingSpent {
	/** The embedder's name. */
	readonly embedder: string;
	/** The number of tokens, as the service counts them. */
	readonly tokens: number;
	/** The cost at the operator's price; 0 if no price is set. */
	readonly cost: number;
}
