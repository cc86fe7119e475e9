/** The text of a document in pieces, each read in a few milliseconds, with a pause between them. */

import { fail } from "cairn-memory";
import type { SqlEngine } from "../executor.ts";
import type { RevisionKey } from "./document-operations.ts";

/** How much is decoded and returned at a time. */
const pieceBytes = 256 * 1_024;
/** A text up to this length is read at once in this thread. A longer one is read in parts of this length by another thread, see `asideThread`. */
const partBytes = 2 * 1_024 * 1_024;

interface Lengths {
	readonly content: number | null;
	readonly found: number | null;
}

const stored = `FROM documents d JOIN document_texts x ON x.organisation = d.organisation AND x.document = d.id
	WHERE d.organisation = ? AND d.id = ? AND d.revision = ?`;

/** The extracted text, or else the content that a client sent. Each read checks the length of the whole text, so that parts of two different texts are never joined. */
export async function* textInPieces({ organisation, id, revision }: RevisionKey, { statement, read, aside }: SqlEngine): AsyncGenerator<string> {
	const key = [organisation, id, revision] as const;
	const lengths = await read(statement<Lengths>(`SELECT octet_length(x.content) AS content, octet_length(x.found) AS found ${stored}`).get(...key));
	if (lengths === null) throw fail("DOCUMENT_SUPERSEDED", id);
	const column = lengths.found === null ? "content" : "found";
	const bytes = lengths[column] ?? 0;
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
	const sql = `SELECT substr(CAST(x.${column} AS BLOB), ?, ?) AS part ${stored} AND octet_length(x.${column}) = ?`;
	for (let at = 0; at < bytes; at += partBytes) {
		const params = [at + 1, partBytes, ...key, bytes];
		const isLong = bytes > partBytes;
		const part = isLong ? await aside.read({ sql, params }) : ((await read(statement<{ part: Uint8Array }>(sql).get(...params)))?.part ?? null);
		if (part === null) throw fail("DOCUMENT_SUPERSEDED", id);
		for (let start = 0; start < part.length; start += pieceBytes) {
			await pause();
			yield decoder.decode(part.subarray(start, start + pieceBytes), { stream: true });
		}
	}
}

function pause(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
