/** Backup and inspection of a storage's data folder without starting the storage. A server may use the folder at the same time. */

import type { ServiceError } from "../../errors/fail.ts";
import type { BlobName } from "../../ports/blob-store.ts";

export interface FolderTools {
	/** The name of the storage to which the folder belongs. */
	readonly storage: string;
	/**
	 * Makes a consistent copy, even while a server writes. Derived data and blobs are not copied.
	 * @param into an existing folder; files of an earlier copy in it are replaced
	 */
	readonly copy: (folder: string, into: string) => Promise<void>;
	/** Checks all data without changing anything. */
	readonly inspect: (folder: string) => Promise<Inspection>;
	/** The original files of all documents, including removed documents that can still be restored. */
	readonly blobsNeeded: (folder: string) => Iterable<BlobName>;
}

/** The same for a blob store that keeps its files in the folder of the storage. */
export interface BlobFolderTools {
	/** The name of the blob store. */
	readonly blobStore: string;
	/** Copies a blob, or makes a hard link to it. @returns whether the blob exists */
	readonly copy: (folder: string, into: string, blob: BlobName) => Promise<boolean>;
	/** @returns the path at which the blob is missing; null if it exists. */
	readonly missing: (folder: string, blob: BlobName) => Promise<string | null>;
}

export interface Inspection {
	/** What was checked, each with a finding. */
	readonly notes: readonly (readonly [what: string, how: string])[];
	/** What is damaged, as errors with hints. */
	readonly faults: readonly ServiceError[];
}
