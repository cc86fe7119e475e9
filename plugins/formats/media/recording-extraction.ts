/** Makes an extraction of a recording's metadata and text. */

import { completeExtraction, type Extraction, type ReadableBlock } from "cairn-memory";
import type { Chapter, Cue } from "./cue.ts";
import { cueBlocks } from "./cue-blocks.ts";

/** Metadata of a recording. It is returned from the sandbox, so it has to be plain data. */
export interface Facts {
	readonly kind: "audio" | "video";
	readonly title: string | null;
	readonly artist: string | null;
	readonly album: string | null;
	readonly description: string | null;
	/** Of the audio. */
	readonly language: string | null;
	readonly chapters: readonly Chapter[];
}

export function extractionOfCues(facts: Facts, cues: readonly Cue[], language: string | null): Extraction {
	return complete(facts, cueBlocks(cues, facts.chapters), language);
}

/** For text without times; each stanza becomes a paragraph. */
export function extractionOfWords(facts: Facts, words: string, language: string | null): Extraction {
	const stanzas = words
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
		facts,
		stanzas.map((text): ReadableBlock => ({ kind: "paragraph", text, headings: [], place: {} })),
		language,
	);
}

function complete(facts: Facts, blocks: readonly ReadableBlock[], language: string | null): Extraction {
	const { kind, title, description } = facts;
	return completeExtraction({ blocks: [...nameplate(facts), ...blocks], titles: [title], description, language: language ?? facts.language, type: kind });
}

/** A block with title, artist and album, so that they are found as well. */
function nameplate({ kind, title, artist, album }: Facts): readonly ReadableBlock[] {
	if (kind !== "audio" || (artist === null && album === null)) return [];
	const text = [title, artist, album].filter((name) => name !== null).join(" – ");
	return [{ kind: "caption", text: text.replace(/\s+/g, " "), headings: [], place: {} }];
}
