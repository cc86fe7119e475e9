/** The content of a recording besides audio and video: subtitle tracks, tags, chapters. */

import type { Chapter, Cue } from "./cue.ts";

export interface SubtitleTrack {
	/** The codec's name in the file: `tx3g`, `S_TEXT/UTF8`. */
	readonly codec: string;
	/** BCP 47, or null. */
	readonly language: string | null;
	readonly name: string | null;
	readonly isDefault: boolean;
	/** Whether the track translates only signs and foreign speech. */
	readonly isForced: boolean;
	/** Null if the codec stores images, or is not supported. */
	readonly read: (() => readonly Cue[]) | null;
}

export interface Tags {
	readonly title: string | null;
	readonly artist: string | null;
	readonly album: string | null;
	readonly description: string | null;
	/** The lyrics; in LRC format if they have times. */
	readonly lyrics: string | null;
	readonly timedLyrics: readonly Cue[];
}

export interface Recording {
	readonly kind: "audio" | "video";
	/** False only when it is certain that there is no audio. */
	readonly hasAudio: boolean;
	/** The language of its audio. */
	readonly language: string | null;
	readonly tracks: readonly SubtitleTrack[];
	readonly tags: Tags;
	readonly chapters: readonly Chapter[];
	/** A description of damage to the file's structure; null if there is none. */
	readonly damage: string | null;
}

export const noTags: Tags = { title: null, artist: null, album: null, description: null, lyrics: null, timedLyrics: [] };

/** @param values tags by their names in lower case. If a tag has several possible names, the first one that is present is used. */
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
