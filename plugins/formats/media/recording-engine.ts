/** Looks into recordings: subtitles and lyrics if there are any, and what else is known. Runs in the sandbox. */

import { type Engine, fail, type Warning } from "cairn-memory";
import type { SandboxResult } from "../blocks/content.ts";
import { chooseTrack } from "./choose-track.ts";
import { type Form, readRecording } from "./read-recording.ts";
import type { Recording } from "./recording.ts";
import { extractionOfCues, extractionOfWords, type Facts } from "./recording-extraction.ts";
import { type Sound, soundsToHear } from "./sounds-to-hear.ts";
import { isLrc, readLrc } from "./subtitles/read-lyrics.ts";

export interface RecordingInput {
	readonly bytes: Uint8Array;
	readonly form: Form;
	/** The largest file of a service that hears what has no words in it; null when there is none. */
	readonly heardBytesMax: number | null;
}

export interface Inspected {
	/** Null when the words have to be heard. */
	readonly reading: SandboxResult | null;
	readonly facts: Facts;
	readonly warnings: readonly Warning[];
	/** What was wrong with its structure, if anything was. */
	readonly damage: string | null;
	/** What is to be heard, where it is not the file as it is. */
	readonly sounds: readonly Sound[] | null;
}

const engine: Engine<RecordingInput, Inspected> = async ({ bytes, form, heardBytesMax }) => {
	const recording = await readRecording(bytes, form);
	const facts = factsOf(recording);
	const { cues, language, warnings } = chooseTrack(recording);
	const extraction = cues === null ? lyricsOf(recording, facts) : extractionOfCues(facts, cues, language);
	if (extraction === null && !recording.hasSound) throw fail("CONTENT_EMPTY");
	const sounds = extraction === null && heardBytesMax !== null ? soundsToHear(bytes, form, heardBytesMax) : null;
	return { reading: extraction === null ? null : { extraction, warnings }, facts, warnings, damage: recording.damage, sounds };
};
export default engine;

function lyricsOf({ tags }: Recording, facts: Facts): SandboxResult["extraction"] | null {
	if (tags.timedLyrics.length > 0) return extractionOfCues(facts, tags.timedLyrics, null);
	if (tags.lyrics === null) return null;
	const { cues } = isLrc(tags.lyrics) ? readLrc(tags.lyrics) : { cues: [] };
	return cues.length > 0 ? extractionOfCues(facts, cues, null) : extractionOfWords(facts, tags.lyrics, null);
}

function factsOf({ kind, language, tags, chapters }: Recording): Facts {
	const { title, artist, album, description } = tags;
	return { kind, title, artist, album, description: description?.slice(0, 2_000) ?? null, language, chapters: chapters.slice(0, 10_000) };
}
