/** Reads the subtitles and metadata of an MP4 or MOV file. The movie box may be before or after the media, or be followed by fragments. */

import { type ByteView, byteView } from "../byte-view.ts";
import type { Chapter, Cue } from "../cue.ts";
import type { Recording, SubtitleTrack } from "../recording.ts";
import { areWhole, type Box, boxAt } from "./boxes.ts";
import { countedWords, sampleDecoders } from "./decode-sample.ts";
import { fragmentedSamples, type Sample, tabledSamples } from "./samples.ts";
import { listedChapters, tagsIn } from "./tags.ts";
import { fragmentDefaults, type Track, tracksIn } from "./track.ts";

const textHandlers: ReadonlySet<string> = new Set(["sbtl", "text", "subt", "clcp", "subp"]);

export function readMp4(bytes: Uint8Array): Recording {
	const view = byteView(bytes);
	const file: Box = { name: "", begin: 0, end: view.length, start: 0 };
	const movie = boxAt(view, file, "moov");
	const isWhole = areWhole(view, 0, view.length);
	if (movie === null)
		return { kind: "video", hasAudio: true, language: null, tracks: [], tags: tagsIn(view, null), chapters: [], damage: "it has no movie in it" };
	const tracks = tracksIn(view, movie);
	const chapterIds = new Set(tracks.flatMap(({ chapterTracks }) => chapterTracks));
	const texts = tracks.filter(({ id, handler }) => textHandlers.has(handler) && !chapterIds.has(id));
	const inFragments = fragmentedSamples(view, new Set(texts.map(({ id }) => id)), fragmentDefaults(view, movie));
	const samplesOf = (track: Track) => [...tabledSamples(view, track), ...(inFragments.get(track.id) ?? [])];
	const sound = tracks.find(({ handler }) => handler === "soun");
	const chapters = tracks.filter(({ id, handler }) => handler === "text" && chapterIds.has(id)).flatMap((track) => trackChapters(view, track));
	return {
		kind: tracks.some(({ handler }) => handler === "vide") ? "video" : "audio",
		hasAudio: sound !== undefined || tracks.length === 0,
		language: sound?.language ?? null,
		tracks: texts.map((track) => subtitleTrack(view, track, () => samplesOf(track))),
		tags: tagsIn(view, movie),
		chapters: chapters.length > 0 ? chapters : listedChapters(view, movie),
		damage: tracks.length === 0 ? "it names no tracks" : isWhole ? null : "its parts do not fit together",
	};
}

function subtitleTrack(view: ByteView, track: Track, samples: () => readonly Sample[]): SubtitleTrack {
	const { codec, language, name, isEnabled, isForced, ticks, shift } = track;
	const decode = sampleDecoders.get(codec);
	const read = (): readonly Cue[] =>
		continued(
			samples().flatMap(({ at, size, time, duration }) => {
				const begin = seconds(time / ticks + shift);
				const end = seconds((time + duration) / ticks + shift);
				return decode?.(view.slice(at, at + size), { begin, end: Math.max(begin, end) }) ?? [];
			}),
		);
	return { codec, language, name, isDefault: isEnabled, isForced, read: decode === undefined ? null : read };
}

function trackChapters(view: ByteView, track: Track): readonly Chapter[] {
	return tabledSamples(view, track).map(({ at, size, time }) => ({
		begin: seconds(time / track.ticks + track.shift),
		name: countedWords(view.slice(at, at + size))
			.replace(/\s+/g, " ")
			.trim(),
	}));
}

/**
 * A cue that stays on the screen while others change is repeated in every sample or TTML document. Joins these into one cue from
 * its first sample to its last.
 */
function continued(cues: readonly Cue[]): readonly Cue[] {
	const found: Cue[] = [];
	const latest = new Map<string, number>();
	for (const cue of cues) {
		const key = `${cue.speaker}\n${cue.text}`;
		const at = latest.get(key) ?? -1;
		const before = found[at];
		if (before !== undefined && (cue.begin ?? 0) <= (before.end ?? 0) + 0.001) {
			found[at] = { ...before, end: Math.max(before.end ?? 0, cue.end ?? 0) };
			continue;
		}
		latest.set(key, found.length);
		found.push(cue);
	}
	return found;
}

/** Not negative, and rounded to milliseconds. */
function seconds(exact: number): number {
	return Math.max(0, Math.round(exact * 1000) / 1000);
}
