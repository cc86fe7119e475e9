/** What a recording contains besides sound: its subtitle tracks, its names, its chapters. */

import type { Chapter, Cue } from "./cue.ts";

export interface SubtitleTrack {
	/** As the file spells it: `tx3g`, `S_TEXT/UTF8`. */
	readonly codec: string;
	/** BCP 47, or null. */
	readonly language: string | null;
	readonly name: string | null;
	readonly isDefault: boolean;
	/** Only what a viewer who understands the rest cannot: signs, another language. */
	readonly isForced: boolean;
	/** Null when the codec draws pictures or is not supported. */
	readonly read: (() => readonly Cue[]) | null;
}

export interface Tags {
	readonly title: string | null;
	readonly artist: string | null;
	readonly album: string | null;
	readonly description: string | null;
	/** The words of a song; with times when they have their own form for it. */
	readonly lyrics: string | null;
	readonly timedLyrics: readonly Cue[];
}

export interface Recording {
	readonly kind: "audio" | "video";
	/** False only when it is certain that nothing can be heard. */
	readonly hasSound: boolean;
	/** Of its sound. */
	readonly language: string | null;
	readonly tracks: readonly SubtitleTrack[];
	readonly tags: Tags;
	readonly chapters: readonly Chapter[];
	/** What was wrong with its structure, if anything was. */
	readonly damage: string | null;
}

export const noTags: Tags = { title: null, artist: null, album: null, description: null, lyrics: null, timedLyrics: [] };

/** Text by the names that formats give to it, lower case, first come first served. */
export function tagsOf(values: ReadonlyMap<string, string>): Tags {
	const first = (...names: readonly string[]) => {
		for (const name of names) {
			const value = values.get(name)?.trim();
			if (value !== undefined && value !== "") return value;
		}
		return null;
	};
	return {
		title: first("title"),
		artist: first("artist", "albumartist", "performer"),
		album: first("album"),
		description: first("description", "synopsis", "summary", "comment"),
		lyrics: first("lyrics", "unsyncedlyrics", "syncedlyrics"),
		timedLyrics: [],
	};
}
