/** What commands do with the data folder of a storage that they do not start: a server may have it open meanwhile. */

import type { ServiceError } from "../../errors/fail.ts";

export interface FolderTools {
	/** The name of the storage whose folder it is. */
	readonly storage: string;
	/**
	 * Makes a whole copy, as of one moment, while others write; what can be made anew from it is left out.
	 * @param into a folder that is there and empty
	 */
	readonly copy: (folder: string, into: string) => Promise<void>;
	/** Looks through everything and changes nothing. */
	readonly inspect: (folder: string) => Promise<Inspection>;
}

export interface Inspection {
	/** What is fine, and what is known of it. */
	readonly notes: readonly (readonly [what: string, how: string])[];
	/** What is wrong; with each its remedy. */
	readonly faults: readonly ServiceError[];
}
