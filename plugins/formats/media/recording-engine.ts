/** Reads subtitles, lyrics and metadata of recordings. Runs in the sandbox. */

import { type Engine, fail, type Warning } from "cairn-memory";
import type { SandboxResult } from "../blocks/content.ts";
import { type AudioPart, audioPartsOf } from "./audio-parts.ts";
import { chooseTrack } from "./choose-track.ts";
import { type ContainerFormat, readRecording } from "./read-recording.ts";
import type { Recording } from "./recording.ts";
import { extractionOfCues, extractionOfWords, type RecordingMetadata } from "./recording-extraction.ts";
import { isLrc, readLrc } from "./subtitles/read-lyrics.ts";

export interface RecordingInput {
	readonly bytes: Uint8Array;
	readonly format: ContainerFormat;
	/** The largest file that the transcription service accepts; null if there is no service. */
	readonly audioBytesMax: number | null;
}

export interface InspectedRecording {
	/** Null if the recording contains no text and has to be transcribed. */
	readonly reading: SandboxResult | null;
	readonly metadata: RecordingMetadata;
	readonly warnings: readonly Warning[];
	/** A description of damage to the file's structure. */
	readonly damage: string | null;
	/** The parts to transcribe; null for the whole file. */
	readonly audioParts: readonly AudioPart[] | null;
}

const engine: Engine<RecordingInput, InspectedRecording> = async ({ bytes, format, audioBytesMax }) => {
	const recording = await readRecording(bytes, format);
	const metadata = metadataOf(recording);
	const { cues, language, warnings } = chooseTrack(recording);
	const extraction = cues === null ? extractLyrics(recording, metadata) : extractionOfCues(metadata, cues, language);
	if (extraction === null && !recording.hasAudio) throw fail("CONTENT_EMPTY");
	const audioParts = extraction === null && audioBytesMax !== null ? audioPartsOf(bytes, format, audioBytesMax) : null;
	return { reading: extraction === null ? null : { extraction, warnings }, metadata, warnings, damage: recording.damage, audioParts };
};
export default engine;

function extractLyrics({ tags }: Recording, metadata: RecordingMetadata): SandboxResult["extraction"] | null {
	if (tags.timedLyrics.length > 0) return extractionOfCues(metadata, tags.timedLyrics, null);
	if (tags.lyrics === null) return null;
	const { cues } = isLrc(tags.lyrics) ? readLrc(tags.lyrics) : { cues: [] };
	return cues.length > 0 ? extractionOfCues(metadata, cues, null) : extractionOfWords(metadata, tags.lyrics, null);
}

function metadataOf({ kind, language, tags, chapters }: Recording): RecordingMetadata {
	const { title, artist, album, description } = tags;
	return { kind, title, artist, album, description: description?.slice(0, 2_000) ?? null, language, chapters: chapters.slice(0, 10_000) };
}
