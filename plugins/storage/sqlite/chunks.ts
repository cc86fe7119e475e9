/** Reads of published chunks. */

import { asId, type Chunk, type ChunkId, type DocumentId, type DocumentStore, type OrganisationId, type Place } from "cairn";
import type { Reads } from "./reads.ts";
import { chunks } from "./schema.ts";
import { columnList } from "./table-rows.ts";

type ChunkRow = typeof chunks.$inferSelect;

/** Read without a pause: 4 ms. A search that has found a long document asks for thousands. */
const chunksAtOnce = 200;

/** What a document shows now, and nothing that is staged. */
const select = `SELECT ${columnList(chunks, "c")} FROM documents d JOIN chunks c
	ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition`;

export function chunkReads(organisation: OrganisationId, { statement }: Reads): Pick<DocumentStore, "chunks" | "chunksOf" | "chunksAt"> {
	return {
		chunks: async (ids) => {
			// CROSS JOIN fixes the order: from the few ids to their chunks and documents.
			const sql = `SELECT ${columnList(chunks, "c")} FROM json_each(?) j CROSS JOIN chunks c CROSS JOIN documents d
				ON d.organisation = c.organisation AND d.id = c.document AND d.published_edition = c.edition
				WHERE c.organisation = ? AND c.id = j.value ORDER BY j.key`;
			const found: Chunk[] = [];
			for (let start = 0; start < ids.length; start += chunksAtOnce) {
				const part = ids.slice(start, start + chunksAtOnce);
				found.push(...statement<ChunkRow>(sql).all(JSON.stringify(part), organisation).map(chunkOf));
				if (part.length === chunksAtOnce) await new Promise((resolve) => setImmediate(resolve));
			}
			return found;
		},
		chunksOf: async (id) => statement<ChunkRow>(`${select} WHERE d.organisation = ? AND d.id = ? ORDER BY c.position`).all(organisation, id).map(chunkOf),
		chunksAt: async (id, positions) => {
			const sql = `${select} WHERE d.organisation = ? AND d.id = ? AND c.position IN (SELECT value FROM json_each(?)) ORDER BY c.position`;
			return statement<ChunkRow>(sql).all(organisation, id, JSON.stringify(positions)).map(chunkOf);
		},
	};
}

function chunkOf({ id, document, revision, position, text, indexedText, place: json }: ChunkRow): Chunk {
	const place: Place = JSON.parse(json);
	return { id: asId<ChunkId>(id), document: asId<DocumentId>(document), revision, position, text, indexedText: indexedText ?? text, place };
}
