/** Documents that were removed and can still be restored. No other store returns them. Everything is of one organisation. */

import type { Document } from "../model/document.ts";
import type { DocumentId, RemovalId } from "../model/id.ts";
import type { NewJob } from "./job-queue.ts";

export type SetAside = Pick<Document, "id" | "customId" | "containerTags">;

export interface RemovalStore {
	/**
	 * Removes a document as `DocumentStore.remove` does, but keeps until `expiresAt` what is needed to restore it: its published chunks, its
	 * file and the memories removed with it. Its attachments are set aside before it. All in one durable transaction. @returns false if there
	 * was no document.
	 */
	readonly setAside: (id: DocumentId, removal: RemovalId, expiresAt: Date, now: Date) => Promise<boolean>;
	/** The documents of a removal that can still be restored, the last removed first, so that each is restored into the state it was removed from. */
	readonly list: (removal: RemovalId, now: Date) => Promise<readonly SetAside[]>;
	/**
	 * Restores a document with its chunks, and with those memories that later changes do not contradict, and adds the job. A document that
	 * was not finished is queued again. All in one durable transaction. @returns the restored document; null if it is not set aside any more
	 * or its parent does not exist; "taken" if another document has its customId by now.
	 */
	readonly bringBack: (removal: RemovalId, id: DocumentId, job: NewJob, now: Date) => Promise<Document | null | "taken">;
	/** Ends the undo period of everything that was set aside: none of it can be restored. */
	readonly expireAll: () => Promise<void>;
}
