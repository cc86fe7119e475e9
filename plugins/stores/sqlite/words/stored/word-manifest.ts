/** What a word file claims about itself: read and believed only when every claim can be checked. */

import { z } from "zod";
import { hex } from "../../vectors/files/index-manifest.ts";
import { type WordAddress, wordAddressKey } from "../word-address.ts";

/** Raised whenever the layout of the file, the meaning of a field or what `readWords` gives changes: files of another version are built anew. */
const formatVersion = 2;

const count = z.int().min(0);
const checksum = z.string().regex(/^[0-9a-f]{16}$/);

const fields = z.strictObject({
	version: z.literal(formatVersion),
	/** `wordAddressKey`: it reveals two organisations' files that were swapped on disk. */
	address: z.string(),
	/** Part of the file's name: a new build never writes over a file that is in use. */
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
	/** The sum of all texts' lengths. */
	words: count,
	/** The same in grams. */
	gramsSaid: count,
	/** The newest text it knows, and the newest change of texts it has heard of. */
	lastKey: count,
	lastChange: count,
	checksum,
});

export type WordClaims = z.infer<typeof fields>;

export type BuiltWords = Omit<WordClaims, "version" | "address" | "generation">;

const sealed = z.strictObject({ ...fields.shape, seal: checksum });

export function wordManifestText(address: WordAddress, generation: string, built: BuiltWords): string {
	const claims = fields.parse({ version: formatVersion, address: wordAddressKey(address), generation, ...built });
	return JSON.stringify({ ...claims, seal: sealOf(claims) });
}

/** @returns the claims, or in words why they are not to be trusted. */
export function readWordManifest(text: string, address: WordAddress): WordClaims | string {
	const parsed = sealed.safeParse(parseJson(text));
	if (!parsed.success) return "the manifest is malformed or of another version";
	const { seal, ...claims } = parsed.data;
	if (seal !== sealOf(claims)) return "the manifest was changed";
	return claims.address === wordAddressKey(address) ? claims : "the manifest is of another index";
}

/** Over the values in the order of the schema, so that it does not depend on the order of the file. */
function sealOf(claims: WordClaims): string {
	const values = Object.keys(fields.shape).map((name) => claims[name as keyof WordClaims]);
	return hex(Bun.hash.xxHash64(JSON.stringify(values)));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
