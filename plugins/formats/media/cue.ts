/** What subtitles, containers and transcription services are all turned into: words with the time at which they are said. */

import type { Warning } from "cairn-memory";

export interface Cue {
	/** Seconds from the start; null when the source gives none that can be believed. */
	readonly begin: number | null;
	/** Null when only the begin is known: until the next cue, then. */
	readonly end: number | null;
	readonly speaker: string | null;
	/** Lines are parted by line feeds. */
	readonly text: string;
	/** Another speaker than before, without a name. */
	readonly isTurn?: true;
}

/** What a text of cues holds. */
export interface Cues {
	readonly cues: readonly Cue[];
	readonly warnings: readonly Warning[];
	readonly title?: string | null;
	readonly language?: string | null;
}

/** A part of a recording with a name. */
export interface Chapter {
	/** Seconds. */
	readonly begin: number;
	readonly name: string;
}

/** More cues than blocks are allowed: a reader that finds this many may stop, since the extraction will be refused. */
export const cuesMax = 1_000_001;
