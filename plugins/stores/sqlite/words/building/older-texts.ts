/** The older word file that is merged into a new one. */

import type { StoredTexts } from "../stored/stored-texts.ts";

export interface OlderTexts {
	readonly texts: StoredTexts;
	/** Document numbers of texts that were deleted from the tables. */
	readonly dead: ReadonlySet<number>;
}

/** The new document number of a text that is left out. */
export const gone = 0xffffffff;
