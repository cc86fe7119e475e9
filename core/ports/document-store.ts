/** Documents and their chunks. Everything is of one organisation. */

import type { Chunk } from "../model/chunk.ts";
import type { Document, Failure, Findings, Progress } from "../model/document.ts";
import type { ChunkId, DocumentId, KeyId } from "../model/id.ts";
import type { Named } from "../model/own-custom-ids.ts";
import type { Scope } from "../model/scope.ts";
import type { DocumentStatus, DreamingStatus } from "../model/status.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";
import type { NewJob } from "./job-queue.ts";

/** Parts of a document that a client may change. */
export type DocumentChange = Partial<
	Pick<Document, "customId" | "content" | "containerTags" | "metadata" | "filepath" | "taskType" | "dreaming" | "neighbourFilter" | "writtenBy">
>;

export interface Page {
	/** How many to skip, from 0. */
	readonly offset: number;
	readonly limit: number;
	readonly sort: "createdAt" | "updatedAt";
	/** What has the same time is in the order of the ids. */
	readonly order: "asc" | "desc";
	/** Only what comes after it; it may be gone. Unlike an offset it does not shift when others add and remove. */
	readonly after?: Position;
}

/** A place in a list: the time that it is sorted by, and the id. */
export interface Position {
	readonly at: Date;
	readonly id: string;
}

/** What documents are counted by. `source` is the text under that key of the metadata. */
export type Facet = "type" | "status" | "taskType" | "dreamingStatus" | "source" | "containerTag";

export interface Listed {
	readonly documents: readonly Document[];
	/** How many there are in all, on this page, before and after it. */
	readonly total: number;
}

/** A chunk with its vector: they are staged together. */
export interface EmbeddedChunk {
	readonly chunk: Chunk;
	readonly vector: Vector;
}

/** The statuses and the size of all descendants of a document. */
export interface Descendants {
	/** How many have which status; those that none has are left out. */
	readonly statuses: ReadonlyMap<DocumentStatus, number>;
	/** Of their files. */
	readonly bytes: number;
}

/**
 * An attachment is a document whose customId says that it is inside of another, see `attachmentNames`. It is never there without its
 * parent and always in the containers of its parent: it is removed, set aside and moved in the same transaction.
 */
export interface DocumentStore {
	/**
	 * Writes a new document and its job in one transaction; both are durable when this resolves. An attachment is put where its
	 * parent is now. @returns false, and nothing written, when another document of one of its containers has its `customId`, or the parent is
	 * gone.
	 * @param job null for a document that comes from an export: it was read where it comes from
	 */
	readonly add: (document: Document, job: NewJob | null) => Promise<boolean>;
	/** Complete, however long its texts are. All other methods may leave long texts out, and then set `isTextLeftOut`. */
	readonly get: (id: DocumentId) => Promise<Document | null>;
	/** Without `includeContent`, which is true unless said, `content` and `findings.text` may be left empty, as in a list. */
	readonly getMany: (ids: readonly DocumentId[], includeContent?: boolean) => Promise<readonly Document[]>;
	/** Those with this customId in any of the containers, and without tags in any at all, by id. No two with one customId are in the same container. */
	readonly byCustomId: (customId: string, containerTags: readonly string[], limit: number) => Promise<readonly Document[]>;
	/**
	 * The content as a client reads it, in pieces, so that no other request waits long. Throws `DOCUMENT_SUPERSEDED` where the text of this
	 * revision is gone or another by the time a piece is asked for.
	 */
	readonly text: (id: DocumentId, revision: number) => AsyncIterable<string>;
	/** Those whose customId begins with it, by customId and id, from the first after `after` on; as in a list, `content` and `findings.text` may be left empty. */
	readonly byPrefix: (prefix: string, after: Named | null, limit: number) => Promise<readonly Document[]>;
	/** All that is below it, at any depth. */
	readonly descendants: (document: Named) => Promise<Descendants>;
	/** Those whose content this key handed in, by id, from the first after `after` on; as in a list, texts may be left empty. */
	readonly byWriter: (key: KeyId, after: DocumentId | null, limit: number) => Promise<readonly Document[]>;
	/** The tags of these documents and nothing else; missing documents are left out. */
	readonly tagsOf: (ids: readonly DocumentId[]) => Promise<ReadonlyMap<DocumentId, readonly string[]>>;
	/** By status, newest first unless the page says otherwise; `content` and `findings.text` may be left empty unless asked for. */
	readonly list: (scope: Scope, statuses: readonly DocumentStatus[], page: Page, includeContent: boolean) => Promise<Listed>;
	/** How many documents in scope have which value; a document without one counts nowhere, one in several containers in each. */
	readonly tally: (scope: Scope, by: Facet) => Promise<ReadonlyMap<string, number>>;
	/**
	 * Changes what the client may change, durably. With new content the revision goes up by one, status becomes `queued`,
	 * dreaming starts over, the failure is cleared, and the job is added, all in one transaction; the published text stays
	 * searchable until the new one is published. New tags move the document's memories along, and its attachments.
	 * @returns the document as it now is; null when there is none; "taken" when another document of one of its containers has its customId.
	 */
	readonly change: (id: DocumentId, change: DocumentChange, now: Date, job: NewJob | null) => Promise<Document | null | "taken">;
	/** Moves a document only if it still is at this revision and in one of the statuses where the caller believes it to be. A move to `done` clears its failure, and every move its progress. */
	readonly move: (id: DocumentId, revision: number, from: readonly DocumentStatus[], to: DocumentStatus, now: Date) => Promise<boolean>;
	/** Stores the progress of a stage. Not durable, and callers do not wait for it. */
	readonly progress: (id: DocumentId, revision: number, progress: Progress | null) => Promise<void>;
	/** Stores the findings of the stages: title, summary, text. @returns false when the revision is gone. */
	readonly describe: (id: DocumentId, revision: number, found: Partial<Findings>) => Promise<boolean>;
	/** Stores why an attempt failed and sets the status (`queued` for a retry, `failed` for good, which ends its dreaming). @returns false when the revision is gone. */
	readonly fail: (id: DocumentId, revision: number, failure: Failure, status: "queued" | "failed", now: Date) => Promise<boolean>;
	/** @param extractedBy with `done`: which extractors its memories are of; absent leaves what was noted */
	readonly setDreaming: (id: DocumentId, revision: number, dreaming: DreamingStatus, now: Date, extractedBy?: string) => Promise<boolean>;
	/** Finished documents, the oldest first, whose memories are of other extractors, or of unknown ones. Not those that are only searched. */
	readonly extractedByOthers: (extractedBy: string, limit: number) => Promise<readonly Document[]>;
	/**
	 * Writes chunks and vectors that no search sees yet. May be called several times for one revision, with the next
	 * positions each time; position 0 drops what was staged for it before. Even what is staged for a revision that is
	 * already published stays unseen until it is published again. @returns false when the revision is gone.
	 */
	readonly stage: (id: DocumentId, revision: number, space: EmbeddingSpace, chunks: readonly EmbeddedChunk[]) => Promise<boolean>;
	/**
	 * Makes a staged revision the visible one, drops the older and whatever was staged for others, in one transaction. A loss of
	 * power may undo it together with all that was written after it, so that the job is there to do it again. @returns false when the
	 * revision is gone.
	 */
	readonly publish: (id: DocumentId, revision: number, now: Date) => Promise<boolean>;
	/** Published chunks only, in the order of the ids; what is gone is left out. */
	readonly chunks: (ids: readonly ChunkId[]) => Promise<readonly Chunk[]>;
	/** All published chunks of a document, by position. */
	readonly chunksOf: (id: DocumentId) => Promise<readonly Chunk[]>;
	/** The published chunks at these positions of these documents, each document's by position, in one look-up for all. */
	readonly chunksAt: (places: ReadonlyMap<DocumentId, readonly number[]>) => Promise<readonly Chunk[]>;
	/**
	 * Removes a document with its attachments, its chunks, vectors, waiting jobs and the memories that have no other source, durably
	 * and in one transaction. @returns the keys of the blobs that nothing points to any more; null when there was no document.
	 */
	readonly remove: (id: DocumentId, now: Date) => Promise<readonly string[] | null>;
	/** Documents of one container whose current revision is published and still dreaming, oldest first. */
	readonly dreaming: (containerTag: string, limit: number) => Promise<readonly Document[]>;
}
