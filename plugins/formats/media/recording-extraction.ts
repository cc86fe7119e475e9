/** Builds an extraction from a recording's metadata and text. */

import type { Extraction } from "cairn-memory";
import { completeExtraction, type ReadableBlock } from "cairn-memory/words";
import type { Chapter, Cue } from "./cue.ts";
import { cueBlocks } from "./cue-blocks.ts";

/** Metadata of a recording. The sandbox returns it, so it has to be plain data. */
export interface RecordingMetadata {
	readonly kind: "audio" | "video";
	readonly title: string | null;
	readonly artist: string | null;
	readonly album: string | null;
	readonly description: string | null;
	/** The language of the audio. */
	readonly language: string | null;
	readonly chapters: readonly Chapter[];
}

export function extractionOfCues(metadata: RecordingMetadata, cues: readonly Cue[], language: string | null): Extraction {
	return complete(metadata, cueBlocks(cues, metadata.chapters), language);
}

/** An extraction of text without times. Each stanza becomes a paragraph. */
export function extractionOfWords(metadata: RecordingMetadata, lyrics: string, language: string | null): Extraction {
	const stanzas = lyrics
		.split(/\n[ \t]*\n/)
		.map((stanza) =>
			stanza
				.split("\n")
				.map((line) => line.trim())
				.join("\n")
				.trim(),
		)
		.filter((stanza) => stanza !== "");
	return complete(
		metadata,
		stanzas.map((text): ReadableBlock => ({ kind: "paragraph", text, headings: [], place: {} })),
		language,
	);
}

function complete(metadata: RecordingMetadata, blocks: readonly ReadableBlock[], language: string | null): Extraction {
	const { kind, title, description } = metadata;
	return completeExtraction({ blocks: [...nameBlock(metadata), ...blocks], titles: [title], description, language: language ?? metadata.language, type: kind });
}

/** A block with title, artist and album, so that a search finds them as well. */
function nameBlock({ kind, title, artist, album }: RecordingMetadata): readonly ReadableBlock[] {
	if (kind !== "audio" || (artist === null && album === null)) return [];
	const text = [title, artist, album].filter((name) => name !== null).join(" – ");
	return [{ kind: "caption", text: text.replace(/\s+/g, " "), headings: [], place: {} }];
}
