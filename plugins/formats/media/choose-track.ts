/** Chooses the subtitle track to read: the one in the language of the audio, then the default track, then the first. */

import type { Warning } from "cairn-memory";
import { type Cue, cuesMax } from "./cue.ts";
import type { Recording, SubtitleTrack } from "./recording.ts";

export interface ChosenTrack {
	/** Null if no track has text. */
	readonly cues: readonly Cue[] | null;
	readonly language: string | null;
	readonly warnings: readonly Warning[];
}

/** A warning names this many tracks and counts the rest. */
const namedTracksMax = 20;

export function chooseTrack({ tracks, language }: Recording): ChosenTrack {
	const readable = tracks.filter(({ read }) => read !== null).toSorted((a, b) => rank(a, language) - rank(b, language));
	for (const track of readable) {
		const cues = track.read?.().slice(0, cuesMax) ?? [];
		if (cues.length > 0) return { cues, language: track.language, warnings: warningsOn(tracks.filter((other) => other !== track)) };
	}
	return { cues: null, language: null, warnings: warningsOn(tracks) };
}

/** Lower is better. Tracks of equal rank keep their order. */
function rank({ isForced, isDefault, language: trackLanguage }: SubtitleTrack, audioLanguage: string | null): number {
	const isForeign = audioLanguage !== null && trackLanguage !== null && primarySubtag(trackLanguage) !== primarySubtag(audioLanguage);
	return (isForced ? 4 : 0) + (isForeign ? 2 : 0) + (isDefault ? 0 : 1);
}

function primarySubtag(language: string): string {
	return language.split("-")[0] ?? language;
}

function warningsOn(unread: readonly SubtitleTrack[]): readonly Warning[] {
	if (unread.length === 0) return [];
	const named = unread.slice(0, namedTracksMax).map(({ codec, language, name, read, isForced }) => {
		const details = [
			language ?? "unknown language",
			...(name === null ? [] : [`"${name}"`]),
			...(isForced ? ["forced"] : []),
			...(read === null ? [`${codec || "no codec"}: no text`] : []),
		];
		return details.join(" ");
	});
	const rest = unread.length > namedTracksMax ? `, and ${unread.length - namedTracksMax} more` : "";
	return [{ code: "TRACKS_NOT_READ", message: `subtitle tracks that were not read: ${named.join("; ")}${rest}` }];
}
