/** Tools for the data folder of a storage that is not started: a server may have it open at the same time. */

import type { ServiceError } from "../../errors/fail.ts";
import type { OrganisationId } from "../../model/id.ts";
import type { BlobName } from "../../ports/blob-store.ts";
import type { TenantRecords } from "../../ports/storage.ts";

export interface FolderTools {
	/** The name of the storage whose folder it is. */
	readonly storage: string;
	/**
	 * Makes a consistent copy while others write, without derived data and without blobs.
	 * @param into an existing folder; what an earlier copy has left in it is replaced
	 */
	readonly copy: (folder: string, into: string) => Promise<void>;
	/** Checks everything, read-only. */
	readonly inspect: (folder: string) => Promise<Inspection>;
	/** Rewrites everything, so that nothing is left of what was deleted; derived data goes and is made anew later. No server may have the folder open. */
	readonly scrub: (folder: string) => Promise<void>;
	/**
	 * Opens what a start refuses as damaged, as far as it can be read. What cannot throws when it is asked for.
	 * @param into an empty folder for what it needs
	 */
	readonly openDamaged: (folder: string, into: string) => Promise<DamagedStore>;
	/** The originals of all documents, those that may come back included. */
	readonly blobsNeeded: (folder: string) => Iterable<BlobName>;
}

export interface DamagedStore {
	readonly organisation: OrganisationId;
	readonly records: TenantRecords;
	/** All that are known to have been there; some of them cannot be read. Complete where nothing that lists them is damaged. */
	readonly ids: (kind: "document" | "memory") => { readonly known: ReadonlySet<string>; readonly isComplete: boolean };
	readonly close: () => Promise<void>;
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
	/** What was checked, with findings. */
	readonly notes: readonly (readonly [what: string, how: string])[];
	/** What is damaged, with remedies. */
	readonly faults: readonly ServiceError[];
}
