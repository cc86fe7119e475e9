/** Whether a sound file is of this database. */

import { indexWords } from "cairn-memory/words";
import type { Connection } from "../../../sql/bun-connection.ts";
import { areChangesKept, newestChange, newestTextKey, textsOf } from "../text-tables.ts";
import type { WordAddress } from "../word-address.ts";
import type { LoadedWords } from "./word-folder.ts";

/** How many texts at the end of a file, and how many spread over all of it, are compared with the tables before it is believed. */
const samples = 24;

/**
 * A file may be sound and yet of another time: a database that was put back from a copy gives out keys anew. So its last
 * texts, and some of all, are compared with the tables. A text that is gone proves nothing.
 * @returns in words why it is not to be used, or null.
 */
export function storedFault({ texts, claims }: LoadedWords, db: Pick<Connection, "statement">, address: WordAddress): string | null {
	if (texts.size > 0 && texts.lastKey !== claims.lastKey) return "its keys are not those of the manifest";
	if (claims.lastKey > newestTextKey(db, address.kind)) return "it knows keys that were never given out";
	if (claims.lastChange > newestChange(db)) return "it knows changes that never were";
	if (!areChangesKept(db, claims.lastChange)) return "what has changed since is not written down any more";
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
