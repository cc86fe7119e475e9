/** Reads of published chunks. */

import { asId, type Chunk, type ChunkId, type DocumentId, type DocumentStore, type OrganisationId, type Place } from "cairn-memory";
import type { Executor } from "../executor.ts";
import { chunks } from "../schema.ts";
import { columnList } from "../table-rows.ts";

type ChunkRow = typeof chunks.$inferSelect;

/** Read without a pause: 4 ms. A search that has found a long document asks for thousands. */
const chunksAtOnce = 200;

/** What a document shows now, and nothing that is staged. */
const select = `SELECT ${columnList(chunks, "c")} FROM documents d JOIN chunks c
	ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition`;

// CROSS JOIN fixes the order: from the few ids to their chunks and documents, and from the documents to their positions.
const selectById = `SELECT ${columnList(chunks, "c")} FROM json_each(?) j CROSS JOIN chunks c CROSS JOIN documents d
	ON d.organisation = c.organisation AND d.id = c.document AND d.published_edition = c.edition
	WHERE c.organisation = ? AND c.id = j.value ORDER BY j.key`;
const selectAt = `SELECT ${columnList(chunks, "c")} FROM json_each(?) j CROSS JOIN documents d ON d.organisation = ? AND d.id = j.value ->> 0
	CROSS JOIN json_each(j.value, '$[1]') p CROSS JOIN chunks c
	ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition AND c.position = p.value ORDER BY j.key, c.position`;

export function chunkReads(organisation: OrganisationId, { statement }: Executor): Pick<DocumentStore, "chunks" | "chunksOf" | "chunksAt"> {
	return {
		chunks: async (ids) => {
			const found: Chunk[] = [];
			for (let start = 0; start < ids.length; start += chunksAtOnce) {
				const part = ids.slice(start, start + chunksAtOnce);
				found.push(...statement<ChunkRow>(selectById).all(JSON.stringify(part), organisation).map(chunkOf));
				if (part.length === chunksAtOnce) await new Promise((resolve) => setImmediate(resolve));
			}
			return found;
		},
		chunksOf: async (id) => statement<ChunkRow>(`${select} WHERE d.organisation = ? AND d.id = ? ORDER BY c.position`).all(organisation, id).map(chunkOf),
		chunksAt: async (places) => {
			const found: Chunk[] = [];
			for (const [i, part] of inParts(places).entries()) {
				if (i > 0) await new Promise((resolve) => setImmediate(resolve));
				found.push(...statement<ChunkRow>(selectAt).all(JSON.stringify(part), organisation).map(chunkOf));
			}
			return found;
		},
	};
}

/** As many documents at once as there may be chunks. */
function inParts(places: ReadonlyMap<DocumentId, readonly number[]>): readonly (readonly [DocumentId, readonly number[]])[][] {
	const parts: (readonly [DocumentId, readonly number[]])[][] = [];
	let room = 0;
	for (const place of places) {
		if (room < place[1].length) room = chunksAtOnce;
		if (room === chunksAtOnce) parts.push([]);
		parts.at(-1)?.push(place);
		room -= place[1].length;
	}
	return parts;
}

function chunkOf({ id, document, revision, position, text, indexedText, place: json }: ChunkRow): Chunk {
	const place: Place = JSON.parse(json);
	return { id: asId<ChunkId>(id), document: asId<DocumentId>(document), revision, position, text, indexedText: indexedText ?? text, place };
}
