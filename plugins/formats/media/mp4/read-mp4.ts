/** Reads the subtitles and metadata of an MP4 or MOV file. The movie box may come before or after the media, or before fragments. */

import { type ByteView, byteView } from "../byte-view.ts";
import type { Chapter, Cue } from "../cue.ts";
import type { Recording, SubtitleTrack } from "../recording.ts";
import { type Box, boxByPath, fillRange } from "./boxes.ts";
import { lengthPrefixedText, sampleDecoders } from "./decode-sample.ts";
import { type Sample, samplesInFragments, samplesInTables } from "./samples.ts";
import { neroChapters, tagsIn } from "./tags.ts";
import { fragmentDefaults, type Track, tracksIn } from "./track.ts";

const textHandlers: ReadonlySet<string> = new Set(["sbtl", "text", "subt", "clcp", "subp"]);

export function readMp4(bytes: Uint8Array): Recording {
	const view = byteView(bytes);
	const file: Box = { name: "", begin: 0, end: view.length, start: 0 };
	const movie = boxByPath(view, file, "moov");
	const isComplete = fillRange(view, 0, view.length);
	if (movie === null)
		return { kind: "video", hasAudio: true, language: null, tracks: [], tags: tagsIn(view, null), chapters: [], damage: "it has no movie box" };
	const tracks = tracksIn(view, movie);
	const chapterIds = new Set(tracks.flatMap(({ chapterTracks }) => chapterTracks));
	const textTracks = tracks.filter(({ id, handler }) => textHandlers.has(handler) && !chapterIds.has(id));
	const fragmentSamples = samplesInFragments(view, new Set(textTracks.map(({ id }) => id)), fragmentDefaults(view, movie));
	const samplesOf = (track: Track) => [...samplesInTables(view, track), ...(fragmentSamples.get(track.id) ?? [])];
	const audioTrack = tracks.find(({ handler }) => handler === "soun");
	const chapters = tracks.filter(({ id, handler }) => handler === "text" && chapterIds.has(id)).flatMap((track) => trackChapters(view, track));
	return {
		kind: tracks.some(({ handler }) => handler === "vide") ? "video" : "audio",
		hasAudio: audioTrack !== undefined || tracks.length === 0,
		language: audioTrack?.language ?? null,
		tracks: textTracks.map((track) => subtitleTrack(view, track, () => samplesOf(track))),
		tags: tagsIn(view, movie),
		chapters: chapters.length > 0 ? chapters : neroChapters(view, movie),
		damage: tracks.length === 0 ? "it lists no tracks" : isComplete ? null : "it is truncated or damaged",
	};
}

function subtitleTrack(view: ByteView, track: Track, samples: () => readonly Sample[]): SubtitleTrack {
	const { codec, language, name, isEnabled, isForced, ticksPerSecond, offsetSeconds } = track;
	const decode = sampleDecoders.get(codec);
	const read = (): readonly Cue[] =>
		joinRepeatedCues(
			samples().flatMap(({ offset, size, time, duration }) => {
				const begin = seconds(time / ticksPerSecond + offsetSeconds);
				const end = seconds((time + duration) / ticksPerSecond + offsetSeconds);
				return decode?.(view.slice(offset, offset + size), { begin, end: Math.max(begin, end) }) ?? [];
			}),
		);
	return { codec, language, name, isDefault: isEnabled, isForced, read: decode === undefined ? null : read };
}

function trackChapters(view: ByteView, track: Track): readonly Chapter[] {
	return samplesInTables(view, track).map(({ offset, size, time }) => ({
		begin: seconds(time / track.ticksPerSecond + track.offsetSeconds),
		name: lengthPrefixedText(view.slice(offset, offset + size))
			.replace(/\s+/g, " ")
			.trim(),
	}));
}

/**
 * Joins repeated cues into one, from the first sample to the last. A cue that stays on the screen while others change is repeated in
 * every sample or TTML document.
 */
function joinRepeatedCues(cues: readonly Cue[]): readonly Cue[] {
	const joined: Cue[] = [];
	const latest = new Map<string, number>();
	for (const cue of cues) {
		const key = `${cue.speaker}\n${cue.text}`;
		const offset = latest.get(key) ?? -1;
		const previous = joined[offset];
		if (previous !== undefined && (cue.begin ?? 0) <= (previous.end ?? 0) + 0.001) {
			joined[offset] = { ...previous, end: Math.max(previous.end ?? 0, cue.end ?? 0) };
			continue;
		}
		latest.set(key, joined.length);
		joined.push(cue);
	}
	return joined;
}

/** Rounds to milliseconds; negative times become 0. */
function seconds(value: number): number {
	return Math.max(0, Math.round(value * 1000) / 1000);
}
