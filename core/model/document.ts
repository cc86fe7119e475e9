/** A document: the content that a client sent, and the state of its processing. */

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
	/** The status of the document when the error occurred. */
	readonly stage: DocumentStatus;
	/** The remedy; null when none is known. */
	readonly hint: string | null;
	/** When the document will be processed again; null if it will not. */
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
	/** At least one tag. */
	readonly containerTags: readonly string[];
	readonly content: Content;
	readonly metadata: Metadata;
	readonly filepath: string | null;
	readonly taskType: TaskType;
	readonly dreaming: Dreaming;
	/**
	 * New memories of this document are only compared with known memories whose source documents match this filter; null to compare
	 * them with all memories of the container.
	 */
	readonly neighbourFilter: Filter | null;
	/** The id of the API key that sent the content. Processing is charged to the budget of that key. Null if no client sent it. */
	readonly writtenBy: string | null;
	readonly status: DocumentStatus;
	readonly dreamingStatus: DreamingStatus;
	/** The memory extractors that its memories are from; absent if they were not stored. */
	readonly extractedBy?: string;
	/** Counts the changes of content, from 1. The pipeline processes one revision and stops when a newer one exists. */
	readonly revision: number;
	/** The revision that searches see; null until the first one is published. */
	readonly publishedRevision: number | null;
	readonly findings: Findings;
	/** Set if the content or `findings.text` was left out because it is long. It can be read in pieces, see `DocumentStore.text`. */
	readonly isTextLeftOut?: true;
	readonly failure: Failure | null;
	readonly progress: Progress | null;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** What the pipeline has derived from a document's content. */
export interface Findings {
	readonly type: DocumentType;
	readonly title: string | null;
	readonly summary: string | null;
	/** A BCP 47 language tag, such as `en`. */
	readonly language: string | null;
	/** The extracted text as readable Markdown. Null until it is extracted, and for plain text, since the content is the text. */
	readonly text: string | null;
	readonly warnings: readonly Warning[];
	/** Metadata that the source states about itself; an empty object if there is none. */
	readonly about: About;
}

/** The text that clients get as `content`: the extracted text, or the text they sent. Not for a document whose text was left out. */
export function readableText(document: Document): string | null {
	return document.findings.text ?? (document.content.kind === "text" ? document.content.text : null);
}
