/** Documents that were removed and can still be brought back. No other store shows them. Everything is of one organisation. */

import type { Document } from "../model/document.ts";
import type { DocumentId, RemovalId } from "../model/id.ts";
import type { NewJob } from "./job-queue.ts";

export type SetAside = Pick<Document, "id" | "customId" | "containerTags">;

export interface RemovalStore {
	/**
	 * Removes a document as `DocumentStore.remove` does and keeps until `expiresAt` all it takes to bring it back: its
	 * published chunks, its bytes, and the memories that went with it. Its attachments are set aside before it. One durable
	 * transaction. @returns false when there was no document.
	 */
	readonly setAside: (id: DocumentId, removal: RemovalId, expiresAt: Date, now: Date) => Promise<boolean>;
	/** What a removal set aside and may still be brought back, the last first: in that order each finds the world as it left it. */
	readonly list: (removal: RemovalId, now: Date) => Promise<readonly SetAside[]>;
	/**
	 * Brings a document back with its chunks and memories, as far as what has happened since leaves room for them, and
	 * adds the job; one that was not finished is queued anew. One durable transaction. @returns the document as it now is;
	 * null when the removal does not hold it any more, or it is inside of a document that is not there; "taken" when its
	 * customId has been given to another.
	 */
	readonly bringBack: (removal: RemovalId, id: DocumentId, job: NewJob, now: Date) => Promise<Document | null | "taken">;
	/** Ends the undo period of everything that was set aside: none of it can be restored. */
	readonly expireAll: () => Promise<void>;
}
