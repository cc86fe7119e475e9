/** The seven statuses of a document. */

/**
 * In the order in which they follow each other. A stage may be over before its status could be written: then it is left
 * out. `queued` may follow every other status: a stage that failed for a passing reason is tried again, and new content
 * starts a finished document over. `failed` is set only when nothing will be tried again.
 */
export const documentStatuses = ["queued", "extracting", "chunking", "embedding", "indexing", "done", "failed"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** The statuses in which the pipeline holds the document. */
const workingStatuses = ["extracting", "chunking", "embedding", "indexing"] as const satisfies readonly DocumentStatus[];

/** Everything that is not an end: what `GET /v3/documents/processing` lists. */
export const unfinishedStatuses = ["queued", ...workingStatuses] as const satisfies readonly DocumentStatus[];

export function isFinished(status: DocumentStatus): boolean {
	return status === "done" || status === "failed";
}

/** Whether the memories of a document have been extracted yet. */
export type DreamingStatus = "dreaming" | "done";
