/** Writes of chunks: staging, which no search sees, and publishing, which all of them see at once. */

import type { EmbeddingSpace } from "cairn-memory";
import type { Executor } from "../executor.ts";
import { repeatable } from "../operation.ts";
import { chunks, chunkVectors } from "../schema.ts";
import { type PackedVectors, vectorAt } from "../spaces/packed-vectors.ts";
import { inserter } from "../table-rows.ts";
import { deleteChunks, discard } from "./discarded.ts";
import type { DocumentKey, RevisionKey } from "./document-operations.ts";

export interface StagedChunk {
	readonly id: string;
	readonly position: number;
	readonly text: string;
	/** Null when it is the text. */
	readonly indexedText: string | null;
	readonly place: string;
}

export interface StageArgs extends RevisionKey {
	readonly space: EmbeddingSpace["name"];
	readonly chunks: readonly StagedChunk[];
	readonly vectors: PackedVectors;
}

interface Editions {
	readonly revision: number;
	readonly publishedRevision: number | null;
	readonly publishedEdition: number | null;
	readonly stagedRevision: number | null;
	readonly stagedEdition: number | null;
	readonly lastEdition: number;
}

export function chunkOperations(connection: Executor) {
	const { statement } = connection;
	const insertChunk = inserter(connection, chunks);
	const insertVector = inserter(connection, chunkVectors);

	function editionsOf({ organisation, id, revision }: RevisionKey): Editions | null {
		const sql = `SELECT revision, published_revision AS publishedRevision, published_edition AS publishedEdition, staged_revision AS stagedRevision,
			staged_edition AS stagedEdition, last_edition AS lastEdition FROM documents WHERE organisation = ? AND id = ? AND revision = ?`;
		return statement<Editions>(sql).get(organisation, id, revision);
	}

	/** The edition to which chunks from this position on are added: a new one for a new revision and for a new start. */
	function editionFor(key: RevisionKey, known: Editions, position: number): number {
		const { stagedRevision, stagedEdition, lastEdition } = known;
		if (position > 0 && stagedRevision === key.revision && stagedEdition !== null) {
			dropFrom(key, stagedEdition, position);
			return stagedEdition;
		}
		discard(connection, key, stagedEdition);
		statement("UPDATE documents SET staged_revision = ?, staged_edition = ?, last_edition = ? WHERE organisation = ? AND id = ?").run(
			key.revision,
			lastEdition + 1,
			lastEdition + 1,
			key.organisation,
			key.id,
		);
		return lastEdition + 1;
	}

	/** A batch that is sent again replaces what it wrote before. */
	function dropFrom({ organisation, id }: DocumentKey, edition: number, position: number): void {
		const sql = "SELECT key FROM chunks WHERE organisation = ? AND document = ? AND edition = ? AND position >= ?";
		const keys = statement<{ key: number }>(sql).all(organisation, id, edition, position);
		if (keys.length === 0) return;
		const list = keys.map(({ key }) => key);
		deleteChunks(statement, organisation, list);
	}

	return {
		stageChunks: repeatable(({ space, chunks: staged, vectors, ...key }: StageArgs): boolean => {
			const known = editionsOf(key);
			if (known === null) return false;
			const { organisation, id: document, revision } = key;
			const first = staged[0];
			if (first === undefined) return true;
			const edition = editionFor(key, known, first.position);
			for (const [i, { id, position, text, indexedText, place }] of staged.entries()) {
				insertChunk({ organisation, id, document, revision, edition, position, text, indexedText, place });
				insertVector({ organisation, space, chunk: id, vector: vectorAt(vectors, i) });
			}
			return true;
		}),

		// Whoever loses it to a power cut loses with it whatever was written after: the job is still there, and publishes again.
		publishRevision: repeatable(({ now, ...key }: RevisionKey & { now: Date }): boolean => {
			const known = editionsOf(key);
			if (known === null) return false;
			const { publishedRevision, publishedEdition, stagedRevision, stagedEdition, lastEdition } = known;
			const isStaged = stagedRevision === key.revision;
			// Said twice, since a try may be repeated: it is visible already.
			if (!isStaged && publishedRevision === key.revision) return true;
			discard(connection, key, publishedEdition);
			if (!isStaged) discard(connection, key, stagedEdition);
			const edition = isStaged ? stagedEdition : lastEdition + 1;
			const sql = `UPDATE documents SET published_revision = ?, published_edition = ?, last_edition = max(last_edition, ?),
				staged_revision = NULL, staged_edition = NULL, updated_at = ? WHERE organisation = ? AND id = ?`;
			statement(sql).run(key.revision, edition, edition, now.getTime(), key.organisation, key.id);
			return true;
		}),
	};
}
