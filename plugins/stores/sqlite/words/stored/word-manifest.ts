/** The manifest of a word file: facts about the file, each of which is checked before the file is used. */

import { analysisVersion } from "cairn-memory/words";
import { z } from "zod";
import { checksum, generation, readSealed, sealedText } from "../../index-files/seal.ts";
import { type WordAddress, wordAddressKey } from "../word-address.ts";

/** Increased whenever the layout of the file or the meaning of a field changes. */
const layoutVersion = 2;
/** Files of another version are rebuilt. Neither number ever falls, so no sum of them comes back. */
const formatVersion = layoutVersion + analysisVersion;

const count = z.int().min(0);

const fields = z.strictObject({
	version: z.literal(formatVersion),
	/** `wordAddressKey`, which shows if the files of two organisations were swapped on the disk. */
	address: z.string(),
	generation,
	texts: count,
	terms: count,
	termBytes: count,
	postings: count,
	spellings: count,
	spellingBytes: count,
	spellingGrams: count,
	entries: count,
	grams: count,
	gramBytes: count,
	/** How many words all texts have together. */
	words: count,
	/** How many grams all texts have together. */
	gramsSaid: count,
	/** The key of its newest text, and the sequence number of the newest change of texts that it includes. */
	lastKey: count,
	lastChange: count,
	checksum,
});

export type WordManifest = z.infer<typeof fields>;

export type BuiltWords = Omit<WordManifest, "version" | "address" | "generation">;

export function wordManifestText(address: WordAddress, generation: string, built: BuiltWords): string {
	return sealedText(fields.parse({ version: formatVersion, address: wordAddressKey(address), generation, ...built }));
}

/** @returns the manifest, or as a string why it cannot be used. */
export function readWordManifest(text: string, address: WordAddress): WordManifest | string {
	return readSealed(text, fields, wordAddressKey(address));
}
