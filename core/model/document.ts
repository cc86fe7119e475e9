/** A document: what a client handed in, and the state of its processing. */

import type { Content } from "./content.ts";
import type { About, DocumentType, Warning } from "./extraction.ts";
import type { Filter } from "./filter.ts";
import type { DocumentId, OrganisationId } from "./id.ts";
import type { Metadata } from "./metadata.ts";
import type { DocumentStatus, DreamingStatus } from "./status.ts";

export type TaskType = "memory" | "superrag";
export type Dreaming = "dynamic" | "instant";

/** Why a document failed, or why its last attempt did. */
export interface Failure {
	/** A code of the error catalog. */
	readonly code: string;
	readonly message: string;
	/** The status the document had when it happened. */
	readonly stage: DocumentStatus;
	/** The remedy; null when none is known. */
	readonly hint: string | null;
	/** When it will be tried again; null when it will not. */
	readonly retryAt: Date | null;
}

/** How far a long stage has come: `{ done: 3, total: 10, unit: "page" }`. */
export interface Progress {
	readonly done: number;
	readonly total: number;
	readonly unit: string;
}

export interface Document {
	readonly id: DocumentId;
	readonly organisation: OrganisationId;
	/** The client's own name for it, unique in the organisation. */
	readonly customId: string | null;
	/** At least one. */
	readonly containerTags: readonly string[];
	readonly content: Content;
	readonly metadata: Metadata;
	readonly filepath: string | null;
	readonly taskType: TaskType;
	readonly dreaming: Dreaming;
	/** Which known memories those of this document are compared with, by the metadata of their sources; null for all of the container. */
	readonly neighbourFilter: Filter | null;
	/** Id of the key that handed in its content, whose budget reads it; null for what no client did. */
	readonly writtenBy: string | null;
	readonly status: DocumentStatus;
	readonly dreamingStatus: DreamingStatus;
	/** The memory extractors that its memories are of; absent where that was not noted. */
	readonly extractedBy?: string;
	/** Counts the changes of content, from 1. The pipeline works for one revision and gives up when a newer one exists. */
	readonly revision: number;
	/** The revision a search sees; null before the first is done. */
	readonly publishedRevision: number | null;
	readonly findings: Findings;
	/** Its content or `findings.text` is long and was left out; it can be read in pieces, see `DocumentStore.text`. */
	readonly isTextLeftOut?: true;
	readonly failure: Failure | null;
	readonly progress: Progress | null;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** What the stages found out about a document. */
export interface Findings {
	readonly type: DocumentType;
	readonly title: string | null;
	readonly summary: string | null;
	/** BCP 47. */
	readonly language: string | null;
	/** The extracted text as readable Markdown; null until extracted, and for plain text, where it is the content itself. */
	readonly text: string | null;
	readonly warnings: readonly Warning[];
	/** Empty when the source says nothing of itself. */
	readonly about: About;
}

/** The text a client reads as `content`: what it handed in, or what was read out of it. Not of a document whose text was left out. */
export function readableText(document: Document): string | null {
	return document.findings.text ?? (document.content.kind === "text" ? document.content.text : null);
}
