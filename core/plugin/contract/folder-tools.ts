/** Backup and inspection of a storage's data folder without starting the storage. A server may use the folder at the same time. */

import type { ServiceError } from "../../errors/fail.ts";
import type { OrganisationId } from "../../model/id.ts";
import type { Json } from "../../model/json.ts";
import type { Organisation, Quotas } from "../../ports/account-store.ts";
import type { BlobName } from "../../ports/blob-store.ts";
import type { RecordKind } from "../../ports/record-store.ts";
import type { StoredTable, TenantRecords } from "../../ports/storage.ts";

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
	/** Rewrites all data, so that nothing of deleted data is left in the files. Derived data is removed and rebuilt later. No server may have the folder open. */
	readonly scrub: (folder: string) => Promise<void>;
	/** Every row of every table that is there, whoever made it. Names of tables are those of the database. */
	readonly read: (folder: string) => AsyncIterable<StoredTable>;
	/**
	 * Opens a damaged folder that a server refuses to start with, as far as it can be read. Reading damaged data throws.
	 * @param into an empty folder for temporary files
	 */
	readonly openDamaged: (folder: string, into: string) => Promise<DamagedStore>;
	/** The value of a record; null if there is none. */
	readonly record: (folder: string, place: RecordPlace) => Json | null;
	/** The original files of all documents, including removed documents that can still be restored. */
	readonly blobsNeeded: (folder: string) => Iterable<NeededBlob>;
	/** The organisations in it, but those that are being removed. */
	readonly organisations: (folder: string) => readonly NamedOrganisation[];
}

export interface RecordPlace {
	readonly organisation: OrganisationId;
	readonly kind: RecordKind;
	readonly id: string;
}

export interface NamedOrganisation {
	readonly id: OrganisationId;
	readonly name: string;
}

export interface NeededBlob extends BlobName {
	/** SHA-256 of its bytes, hexadecimal; null if that was not stored. */
	readonly sha256: string | null;
}

export interface DamagedStore {
	/** All that anything readable belongs to, the oldest first. That of the operator's key is the first where the list of them is damaged. */
	readonly organisations: readonly DamagedOrganisation[];
	/** Whether the ids of all documents or memories are known: no table that lists them is damaged. */
	readonly isComplete: (kind: "document" | "memory") => boolean;
	readonly close: () => Promise<void>;
}

export interface DamagedOrganisation {
	readonly id: OrganisationId;
	/** What its row says; null if it cannot be read. */
	readonly named: (Pick<Organisation, "name" | "slug"> & { readonly quotas: Quotas }) | null;
	/** If its row cannot be read, when its oldest document or memory was made. */
	readonly createdAt: Date;
	/** All stores of the organisation that hold data and not indexes. */
	readonly records: TenantRecords;
	/** Whether a value of it is not what was stored, though it can be read; null if that cannot be told. */
	readonly isChanged: (kind: "document" | "memory", id: string) => boolean | null;
	/** The ids of all documents or memories that are known to have existed; some may be unreadable. */
	readonly ids: (kind: "document" | "memory") => ReadonlySet<string>;
}

/** The same for a blob store that keeps its files in the folder of the storage. */
export interface BlobFolderTools {
	/** The name of the blob store. */
	readonly blobStore: string;
	/** Copies a blob, or makes a hard link to it. @returns whether the blob exists */
	readonly copy: (folder: string, into: string, blob: BlobName) => Promise<boolean>;
	/** The path of a blob below the storage's folder, with slashes. */
	readonly path: (blob: BlobName) => string;
	/** @returns the path at which the blob is missing; null if it exists. */
	readonly missing: (folder: string, blob: BlobName) => Promise<string | null>;
	/** @returns the path of the blob if its bytes have another checksum than they had when they were stored; else null. */
	readonly altered: (folder: string, blob: NeededBlob) => Promise<string | null>;
}

export interface Inspection {
	/** What was checked, each with a finding. */
	readonly notes: readonly (readonly [what: string, how: string])[];
	/** What is damaged, as errors with hints. */
	readonly faults: readonly ServiceError[];
}
