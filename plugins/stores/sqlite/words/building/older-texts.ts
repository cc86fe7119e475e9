/** A file of texts that goes into a new one. */

import type { StoredTexts } from "../stored/stored-texts.ts";

export interface OlderTexts {
	readonly texts: StoredTexts;
	/** Slots that have gone from the tables. */
	readonly dead: ReadonlySet<number>;
}

/** In place of a new document number, for a text that is not taken over. */
export const gone = 0xffffffff;
