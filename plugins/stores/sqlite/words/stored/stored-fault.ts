/** Checks whether an undamaged word file belongs to this database. */

import { indexWords } from "cairn-memory/words";
import type { Connection } from "../../../sql/bun-connection.ts";
import { areChangesKept, newestChange, newestTextKey, textsOf } from "../text-tables.ts";
import type { WordAddress } from "../word-address.ts";
import type { LoadedWords } from "./word-folder.ts";

/** How many texts at the end of a file, and how many spread over all of it, are compared with the tables before it is used. */
const samples = 24;

/**
 * A database that was restored from a copy gives out the same keys again. So the last texts of the file, and a sample of all, are
 * compared with the tables. Deleted texts are ignored.
 * @returns as a string why the file cannot be used, or null.
 */
export function storedFault({ texts, manifest }: LoadedWords, db: Pick<Connection, "statement">, address: WordAddress): string | null {
	if (texts.size > 0 && texts.lastKey !== manifest.lastKey) return "its keys are not those of the manifest";
	if (manifest.lastKey > newestTextKey(db, address.kind)) return "it knows keys that were never given out";
	if (manifest.lastChange > newestChange(db)) return "it knows changes that never happened";
	if (!areChangesKept(db, manifest.lastChange)) return "the changes since it was built are no longer stored";
	const stride = Math.max(1, Math.floor(texts.size / samples));
	const documentNumbers = new Set<number>();
	for (let i = 0; i < Math.min(samples, texts.size); i++) documentNumbers.add(texts.size - 1 - i).add(Math.min(texts.size - 1, i * stride));
	const keys = [...documentNumbers].map((documentNumber) => texts.key(documentNumber));
	for (const { key, text } of textsOf(db, address, keys)) {
		const words = indexWords(text);
		const documentNumber = texts.documentNumberOf(key);
		if (words.length !== texts.lengths[documentNumber]) return "its texts are not those of the tables";
		const first = words[0] === undefined ? null : texts.postings(words[0]);
		if (words.length > 0 && !first?.documentNumbers.includes(documentNumber)) return "its words are not those of the tables";
	}
	return null;
}
