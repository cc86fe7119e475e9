/** The common form of subtitles and transcripts: text with the time at which it is spoken. */

import type { Warning } from "cairn-memory";

export interface Cue {
	/** Seconds from the start; null if the source has no valid time. */
	readonly begin: number | null;
	/** Seconds from the start; null if only the begin is known. The cue then lasts until the next one. */
	readonly end: number | null;
	readonly speaker: string | null;
	/** Lines are separated by line feeds. */
	readonly text: string;
	/** Whether the speaker changes here, although the source gives no name. */
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
	/** Seconds from the start. */
	readonly begin: number;
	readonly name: string;
}

/** One more than an extraction may have blocks. A reader stops at this number, since the extraction will be refused anyway. */
export const cuesMax = 1_000_001;
