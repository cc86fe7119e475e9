/** What commands do with the data folder of a storage that they do not start: a server may have it open meanwhile. */

import type { ServiceError } from "../../errors/fail.ts";
import type { BlobName } from "../../ports/blob-store.ts";

export interface FolderTools {
	/** The name of the storage whose folder it is. */
	readonly storage: string;
	/**
	 * Makes a whole copy, as of one moment, while others write; what can be made anew from it is left out, and so are blobs.
	 * @param into a folder that is there; what an earlier copy has left in it is replaced
	 */
	readonly copy: (folder: string, into: string) => Promise<void>;
	/** Looks through everything and changes nothing. */
	readonly inspect: (folder: string) => Promise<Inspection>;
	/** The originals of all documents, those that may come back included. */
	readonly blobsNeeded: (folder: string) => Iterable<BlobName>;
}

/** The same for a blob store that keeps its files in the folder of the storage. */
export interface BlobFolderTools {
	/** The name of the blob store. */
	readonly blobStore: string;
	/** Copies a blob, or gives it a second name. @returns whether it was there */
	readonly copy: (folder: string, into: string, blob: BlobName) => Promise<boolean>;
	/** @returns where it is missing; null where it is there. */
	readonly missing: (folder: string, blob: BlobName) => Promise<string | null>;
}

export interface Inspection {
	/** What is fine, and what is known of it. */
	readonly notes: readonly (readonly [what: string, how: string])[];
	/** What is wrong; with each its remedy. */
	readonly faults: readonly ServiceError[];
}
