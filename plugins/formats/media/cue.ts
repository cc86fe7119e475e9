/** The common form of subtitles and transcripts: text with the time at which it is spoken. */

import type { Warning } from "cairn-memory";

export interface Cue {
	/** Seconds from the start; null when the source gives none or an impossible one. */
	readonly begin: number | null;
	/** Null when only the begin is known: the cue then lasts until the next one. */
	readonly end: number | null;
	readonly speaker: string | null;
	/** Lines are separated by line feeds. */
	readonly text: string;
	/** The speaker changes here, without a name. */
	readonly isTurn?: true;
}

/** The content of a subtitle file. */
export interface Cues {
	readonly cues: readonly Cue[];
	readonly warnings: readonly Warning[];
	readonly title?: string | null;
	readonly language?: string | null;
}

/** A named part of a recording. */
export interface Chapter {
	/** Seconds. */
	readonly begin: number;
	readonly name: string;
}

/** More cues than an extraction may have blocks: a reader stops here, since the extraction will be refused. */
export const cuesMax = 1_000_001;
