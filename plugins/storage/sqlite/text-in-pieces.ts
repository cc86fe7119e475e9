/** The text of a document in pieces, each read in a few milliseconds, with a pause between them. */

import { fail } from "cairn";
import type { RevisionKey } from "./document-operations.ts";
import type { Reads } from "./reads.ts";

/** Decoded and given out at once. */
const pieceBytes = 256 * 1_024;
/**
 * Read at once. SQLite walks from the beginning of a text to wherever it is asked for, 0.15 ms a megabyte: so many parts of a
 * long one cost sixteen walks, and never more than one keeps others waiting.
 */
const partBytesMin = 1_024 * 1_024;
const partsMax = 16;

interface Lengths {
	readonly content: number | null;
	readonly found: number | null;
}

const stored = `FROM documents d JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id
	WHERE d.organisation = ? AND d.id = ? AND d.revision = ?`;

/** What was found in it, or what it was handed in as. Asked for by its length at each step: another text is not the rest of this one. */
export async function* textInPieces({ organisation, id, revision }: RevisionKey, { statement }: Reads): AsyncGenerator<string> {
	const key = [organisation, id, revision] as const;
	const lengths = statement<Lengths>(`SELECT octet_length(x.content) AS content, octet_length(x.found) AS found ${stored}`).get(...key);
	if (lengths === null) throw fail("DOCUMENT_SUPERSEDED", id);
	const column = lengths.found === null ? "content" : "found";
	const bytes = lengths[column] ?? 0;
	const partBytes = Math.max(partBytesMin, Math.ceil(bytes / partsMax));
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	for (let at = 0; at < bytes; at += partBytes) {
		const sql = `SELECT substr(CAST(x.${column} AS BLOB), ?, ?) AS part ${stored} AND octet_length(x.${column}) = ?`;
		const row = statement<{ part: Uint8Array }>(sql).get(at + 1, partBytes, ...key, bytes);
		if (row === null) throw fail("DOCUMENT_SUPERSEDED", id);
		for (let start = 0; start < row.part.length; start += pieceBytes) {
			await pause();
			yield decoder.decode(row.part.subarray(start, start + pieceBytes), { stream: true });
		}
	}
}

function pause(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
