/** The manifest of a word file: facts about the file, each of which is checked before the file is used. */

import { analysisVersion } from "cairn-memory/words";
import { z } from "zod";
import { hex } from "../../vectors/files/index-manifest.ts";
import { type WordAddress, wordAddressKey } from "../word-address.ts";

/** Increased whenever the layout of the file or the meaning of a field changes. */
const layoutVersion = 2;
/** Files of another version are rebuilt. Neither number ever falls, so no sum of them comes back. */
const formatVersion = layoutVersion + analysisVersion;

const count = z.int().min(0);
const checksum = z.string().regex(/^[0-9a-f]{16}$/);

const fields = z.strictObject({
	version: z.literal(formatVersion),
	/** `wordAddressKey`, which shows if the files of two organisations were swapped on the disk. */
	address: z.string(),
	/** Part of the file's name, so that a new build never overwrites a file in use. */
	generation: z.string().regex(/^[0-9a-z]{1,24}$/),
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

const sealed = z.strictObject({ ...fields.shape, seal: checksum });

export function wordManifestText(address: WordAddress, generation: string, built: BuiltWords): string {
	const manifest = fields.parse({ version: formatVersion, address: wordAddressKey(address), generation, ...built });
	return JSON.stringify({ ...manifest, seal: sealOf(manifest) });
}

/** @returns the manifest, or as a string why it cannot be used. */
export function readWordManifest(text: string, address: WordAddress): WordManifest | string {
	const parsed = sealed.safeParse(parseJson(text));
	if (!parsed.success) return "the manifest is malformed or of another version";
	const { seal, ...manifest } = parsed.data;
	if (seal !== sealOf(manifest)) return "the manifest was changed";
	return manifest.address === wordAddressKey(address) ? manifest : "the manifest is of another index";
}

/** A checksum of the values in the order of the schema, so that their order in the file does not matter. */
function sealOf(manifest: WordManifest): string {
	const values = Object.keys(fields.shape).map((name) => manifest[name as keyof WordManifest]);
	return hex(Bun.hash.xxHash64(JSON.stringify(values)));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
