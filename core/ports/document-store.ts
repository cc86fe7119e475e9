/** Documents and their chunks. Everything is of one organisation. */

import type { Chunk } from "../model/chunk.ts";
import type { Document, Failure, Findings, Progress } from "../model/document.ts";
import type { ChunkId, DocumentId, KeyId } from "../model/id.ts";
import type { DocumentIdentity } from "../model/reserved-custom-ids.ts";
import type { Scope } from "../model/scope.ts";
import type { DocumentStatus, DreamingStatus } from "../model/status.ts";
import type { EmbeddingSpace, Vector } from "../model/vector.ts";
import type { NewJob } from "./job-queue.ts";

/** The properties of a document that a client may change. */
export type DocumentChange = Partial<
	Pick<Findings, "title"> &
		Pick<Document, "customId" | "content" | "containerTags" | "metadata" | "filepath" | "taskType" | "dreaming" | "neighbourFilter" | "writtenBy">
> & {
	/**
	 * Set in place of `containerTags` if a container of the document is merged into another, which becomes its first one and gets all of its
	 * memories. A document that is not in `from` any more is not changed.
	 */
	readonly mergesContainer?: { readonly from: string; readonly into: string };
};

export interface Page {
	/** How many items to skip. */
	readonly offset: number;
	readonly limit: number;
	readonly sort: "createdAt" | "updatedAt";
	/** The order of the times. Items with the same time are in the order of their ids. */
	readonly order: "asc" | "desc";
	/** Returns only items after this position; the item at the position may be gone. Unlike an offset, it does not shift when items are added or removed. */
	readonly after?: Position;
	/** How far the total has to be counted: where there are more, it may be any number from this one on. All are counted without it. */
	readonly totalMax?: number;
}

/** A position in a list: the time by which the list is sorted, and the id. */
export interface Position {
	readonly at: Date;
	readonly id: string;
}

/** By what documents are counted. `source` is the text under that key of the metadata. */
export type Facet = "type" | "status" | "taskType" | "dreamingStatus" | "source" | "containerTag";
export type Tallies<By extends Facet = Facet> = Readonly<Record<By, ReadonlyMap<string, number>>>;

export interface Listed {
	readonly documents: readonly Document[];
	/** The number of all matching documents, on all pages. */
	readonly total: number;
}

/** A chunk with its vector. They are staged together. */
export interface EmbeddedChunk {
	readonly chunk: Chunk;
	readonly vector: Vector;
}

/** The statuses and the size of all descendants of a document. */
export interface Descendants {
	/** How many descendants have each status. Statuses without descendants are left out. */
	readonly statuses: ReadonlyMap<DocumentStatus, number>;
	/** The total size of their files. */
	readonly bytes: number;
}

/**
 * An attachment is a document whose customId states that it is inside another one, see `attachmentsPrefix`. It never exists without its
 * parent and is always in the same containers: both are removed, set aside and moved in the same transaction.
 */
export interface DocumentStore {
	/**
	 * Writes a new document and its job in one transaction; both are durable when the promise resolves. An attachment is put into the
	 * containers in which its parent is now. @returns false, and writes nothing, if another document in one of its containers has its
	 * `customId`, or if the parent is gone.
	 * Throws `QUOTA_DOCUMENTS` or `QUOTA_BYTES` if a quota of the organisation would be exceeded; attachments are never refused.
	 * @param job null for a document from an export, which was processed where it comes from
	 */
	readonly add: (document: Document, job: NewJob | null) => Promise<boolean>;
	/** Returns the document with its texts, however long they are. All other methods may leave long texts out, and then set `isTextLeftOut`. */
	readonly get: (id: DocumentId) => Promise<Document | null>;
	/** @param includeContent the default is true; if false, `content` and `findings.text` may be left empty, as in a list. */
	readonly getMany: (ids: readonly DocumentId[], includeContent?: boolean) => Promise<readonly Document[]>;
	/**
	 * The documents with this customId in any of the containers, by id; if there are no tags, in any container at all. No two documents in
	 * one container have the same customId.
	 */
	readonly byCustomId: (customId: string, containerTags: readonly string[], limit: number) => Promise<readonly Document[]>;
	/**
	 * The content as a client reads it, in pieces, so that no other request waits long. Throws `DOCUMENT_SUPERSEDED` if the text of this
	 * revision was deleted or replaced before a piece is read.
	 */
	readonly text: (id: DocumentId, revision: number) => AsyncIterable<string>;
	/**
	 * The documents whose customId begins with the prefix, sorted by customId and id, beginning after `after`. As in a list, `content` and
	 * `findings.text` may be left empty.
	 */
	readonly byPrefix: (prefix: string, after: DocumentIdentity | null, limit: number) => Promise<readonly Document[]>;
	/** The descendants of a document, at any depth. */
	readonly descendants: (document: DocumentIdentity) => Promise<Descendants>;
	/** The documents whose content was sent with this API key, by id, beginning after `after`. As in a list, texts may be left empty. */
	readonly byWriter: (key: KeyId, after: DocumentId | null, limit: number) => Promise<readonly Document[]>;
	/** The container tags of these documents; missing documents are left out. */
	readonly tagsOf: (ids: readonly DocumentId[]) => Promise<ReadonlyMap<DocumentId, readonly string[]>>;
	/** Those that are in at least one of the containers. Of a document in others nothing is read, so that it takes as long as a missing one. */
	readonly within: (ids: readonly DocumentId[], containerTags: readonly string[]) => Promise<ReadonlySet<DocumentId>>;
	/** The documents in scope with one of these statuses. `content` and `findings.text` may be left empty unless `includeContent` is true. */
	readonly list: (scope: Scope, statuses: readonly DocumentStatus[], page: Page, includeContent: boolean) => Promise<Listed>;
	/** How many documents in scope have each value of these facets. A document without a value is not counted; one in several containers counts in each. */
	readonly tally: <By extends Facet>(scope: Scope, by: readonly By[]) => Promise<Tallies<By>>;
	/**
	 * Changes properties of a document durably. If the content changes, the revision is raised by one, the status becomes `queued`, dreaming
	 * starts over, the failure is cleared and the job is added, all in one transaction; the published text stays searchable until the new
	 * one is published. If the task type becomes `memory`, dreaming starts over; if it becomes `superrag`, dreaming ends. If the tags change,
	 * the attachments move with it, and so do the memories of a document that was in one container only. In each of several containers it has
	 * memories of its own: those where it no longer is are removed, and if it is in none of them any more, dreaming starts over.
	 * Throws `QUOTA_BYTES` if the content is larger than before and the quota would be exceeded.
	 * @param revision if given, nothing is changed when the document is at another one
	 * @returns the changed document; null if there is none of this revision; "taken" if another document in one of its containers has its customId.
	 */
	readonly change: (id: DocumentId, change: DocumentChange, now: Date, job: NewJob | null, revision?: number) => Promise<Document | null | "taken">;
	/**
	 * Sets the status of a document, if it is still at this revision and has one of the `from` statuses. This clears its progress, and
	 * `done` also clears its failure. @returns whether the status was set.
	 */
	readonly move: (id: DocumentId, revision: number, from: readonly DocumentStatus[], to: DocumentStatus, now: Date) => Promise<boolean>;
	/** Stores the progress of a stage. It need not be durable, and callers do not wait for it. */
	readonly progress: (id: DocumentId, revision: number, progress: Progress | null) => Promise<void>;
	/**
	 * Stores what the stages have derived, such as title and text. A title in the metadata goes before a derived one: it may have been given
	 * while the document was read. @returns false if the revision is gone.
	 */
	readonly describe: (id: DocumentId, revision: number, found: Partial<Findings>) => Promise<boolean>;
	/**
	 * Stores why an attempt failed and sets the status: `queued` for a retry, or `failed`, which is final and also ends its dreaming.
	 * @returns false if the revision is gone.
	 */
	readonly fail: (id: DocumentId, revision: number, failure: Failure, status: "queued" | "failed", now: Date) => Promise<boolean>;
	/** @param extractedBy with `done`: the extractors that its memories are from; if absent, the stored value stays */
	readonly setDreaming: (id: DocumentId, revision: number, dreaming: DreamingStatus, now: Date, extractedBy?: string) => Promise<boolean>;
	/** Finished documents whose memories are from other or unknown extractors, oldest first, without documents that are only searched. */
	readonly extractedByOthers: (extractedBy: string, limit: number) => Promise<readonly Document[]>;
	/**
	 * Writes chunks and vectors that no search sees yet. It may be called several times for one revision, each time with the next
	 * positions; a call with position 0 drops what was staged before. Chunks staged for a revision that is already published are not
	 * visible either until it is published again. @returns false if the revision is gone.
	 */
	readonly stage: (id: DocumentId, revision: number, space: EmbeddingSpace, chunks: readonly EmbeddedChunk[]) => Promise<boolean>;
	/**
	 * Makes a staged revision visible and drops the older one and everything staged for other revisions, in one transaction. A power
	 * failure may undo it, but only together with everything written after it, so that the job still exists and does it again. @returns
	 * false if the revision is gone.
	 */
	readonly publish: (id: DocumentId, revision: number, now: Date) => Promise<boolean>;
	/** Published chunks only, in the order of the ids; missing ones are left out. */
	readonly chunks: (ids: readonly ChunkId[]) => Promise<readonly Chunk[]>;
	/** All published chunks of a document, by position. */
	readonly chunksOf: (id: DocumentId) => Promise<readonly Chunk[]>;
	/** The published chunks at these positions of these documents, read with one query; the chunks of a document are sorted by position. */
	readonly chunksAt: (places: ReadonlyMap<DocumentId, readonly number[]>) => Promise<readonly Chunk[]>;
	/**
	 * Removes a document with its attachments, chunks, vectors, waiting jobs and the memories that have no other source, in one durable
	 * transaction. @returns the keys of the blobs that nothing refers to any more; null if there was no document.
	 */
	readonly remove: (id: DocumentId, now: Date) => Promise<readonly string[] | null>;
	/**
	 * Finished documents of one container whose memories are not extracted yet, oldest first. One in progress is left out, since its `ingest`
	 * job may be extracting its memories.
	 */
	readonly dreaming: (containerTag: string, limit: number) => Promise<readonly Document[]>;
}
