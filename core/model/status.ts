/** The seven statuses of a document. */

/**
 * The statuses in their usual order. A stage may finish before its status is written; that status is then skipped. `queued` may
 * follow every other status: after a temporary error the document is processed again, and new content starts a finished document
 * over. `failed` is set only when the document will not be tried again.
 */
export const documentStatuses = ["queued", "extracting", "chunking", "embedding", "indexing", "done", "failed"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** The statuses in which the pipeline processes the document. */
const workingStatuses = ["extracting", "chunking", "embedding", "indexing"] as const satisfies readonly DocumentStatus[];

/** All statuses except `done` and `failed`: `GET /v3/documents/processing` lists these documents. */
export const unfinishedStatuses = ["queued", ...workingStatuses] as const satisfies readonly DocumentStatus[];

export function isFinished(status: DocumentStatus): boolean {
	return status === "done" || status === "failed";
}

/** Whether the memories of a document have been extracted yet. */
export type DreamingStatus = "dreaming" | "done";
