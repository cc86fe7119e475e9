/** Reads subtitle files. Runs in the sandbox. */

import { type Engine, fail } from "cairn-memory";
import { completeExtraction } from "cairn-memory/words";
import type { Content, SandboxResult } from "../../blocks/content.ts";
import { readText } from "../../text/read-text.ts";
import type { Cues } from "../cue.ts";
import { cueBlocks } from "../cue-blocks.ts";
import { readAss } from "./read-ass.ts";
import { readLrc, readSbv } from "./read-lyrics.ts";
import { readTimedText } from "./read-timed-text.ts";
import { readTtml } from "./read-ttml.ts";

export interface SubtitlesInput {
	readonly content: Content;
	readonly format: "timed" | "ass" | "ttml" | "lrc" | "sbv";
	readonly fileName: string | null;
}

const engine: Engine<SubtitlesInput, SandboxResult> = async ({ content, format, fileName }) => {
	const { cues, warnings, title, language } = readers[format](content);
	if (cues.length === 0) throw fail("FILE_BROKEN", "no subtitles were found in it");
	const extraction = completeExtraction({ blocks: cueBlocks(cues, []), titles: [title], language: language ?? languageInName(fileName), type: "text" });
	return { extraction, warnings };
};
export default engine;

const readers: Readonly<Record<SubtitlesInput["format"], (content: Content) => Cues>> = {
	timed: (content) => readTimedText(readText(content)),
	ass: (content) => readAss(readText(content)),
	lrc: (content) => readLrc(readText(content)),
	sbv: (content) => readSbv(readText(content)),
	// TTML gets the bytes, since XML declares its own encoding.
	ttml: (content) => readTtml(content.bytes ?? new TextEncoder().encode(readText(content))),
};

/** The language in file names such as `film.en.srt` and `film.pt-BR.forced.vtt`. */
function languageInName(fileName: string | null): string | null {
	const tag = /[^.]\.([a-z]{2}(?:[-_][A-Za-z]{2,4})?)(?:\.(?:forced|sdh|cc|hi|default))?\.[a-z]{3,4}$/.exec(fileName ?? "")?.[1];
	return tag ?? null;
}
