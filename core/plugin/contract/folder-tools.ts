/** Tools for the data folder of a storage that is not started: a server may have it open at the same time. */

import type { ServiceError } from "../../errors/fail.ts";

export interface FolderTools {
	/** The name of the storage whose folder it is. */
	readonly storage: string;
	/**
	 * Makes a consistent copy while others write, without derived data.
	 * @param into an existing, empty folder
	 */
	readonly copy: (folder: string, into: string) => Promise<void>;
	/** Checks everything, read-only. */
	readonly inspect: (folder: string) => Promise<Inspection>;
}

export interface Inspection {
	/** What was checked, with findings. */
	readonly notes: readonly (readonly [what: string, how: string])[];
	/** What is damaged, with remedies. */
	readonly faults: readonly ServiceError[];
}
