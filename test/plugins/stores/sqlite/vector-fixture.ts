/** A database with vectors in it, made by hand, and the brute force that its index is held against. */

import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingSpace, Log, OrganisationId, Vector } from "../../../../core/index.ts";
import type { ChunkHit, Scope } from "../../../../core/stores.ts";
import { wholeOrganisation } from "../../../../core/stores.ts";
import { openVectors, type Vectors } from "../../../../plugins/stores/sqlite/vectors/vectors.ts";
import type { VectorsOptions } from "../../../../plugins/stores/sqlite/vectors/vectors-context.ts";

export const space: EmbeddingSpace = { name: "test-1", dimensions: 32, metric: "cosine", calibration: { unrelated: 0, related: 1, weight: 1 } };
export const organisation = "org-a" as OrganisationId;

export interface Fixture {
	readonly folder: string;
	readonly file: string;
	/** The writer's connection: the index has its own. */
	readonly db: Database;
	/** What was logged. */
	readonly lines: string[];
	readonly open: (options?: Partial<VectorsOptions>) => Vectors;
	readonly close: () => Promise<void>;
}

export function createFixture(): Fixture {
	const folder = mkdtempSync(join(tmpdir(), "cairn-vectors-"));
	const file = join(folder, "cairn.db");
	const db = new Database(file, { create: true });
	db.run("PRAGMA journal_mode = WAL");
	db.run("PRAGMA synchronous = OFF");
	for (const migration of [
		"0000_init",
		"0001_words",
		"0006_word_indexes",
		"0015_scope_changes",
		"0017_vector_source",
		"0019_memory_returns",
		"0023_memory_changes",
	])
		db.run(readFileSync(new URL(`../../../../plugins/stores/sql/migrations/${migration}.sql`, import.meta.url), "utf8"));
	const opened: Vectors[] = [];
	const lines: string[] = [];
	const log: Log = (level, message, facts) => lines.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
	return {
		folder,
		file,
		db,
		lines,
		open(options = {}) {
			const vectors = openVectors({ file, folder, log, canBuild: true, ...options });
			opened.push(vectors);
			return vectors;
		},
		async close() {
			for (const vectors of opened) await vectors.close();
			db.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

export interface NewChunk {
	readonly id: string;
	readonly vector: Vector;
	readonly document?: string;
	readonly organisation?: string;
	readonly space?: string;
}

/** Chunks of documents that must exist; each document's chunks are numbered from where they are. */
export function addChunks(db: Database, chunks: readonly NewChunk[]): void {
	const addChunk = db.prepare(
		"INSERT INTO chunks (organisation, id, document, revision, edition, position, text, place) VALUES (?1, ?2, ?3, 1, 1, (SELECT coalesce(max(position) + 1, 0) FROM chunks WHERE organisation = ?1 AND document = ?3), '', '{}')",
	);
	const addVector = db.prepare("INSERT INTO chunk_vectors (organisation, space, chunk, vector) VALUES (?, ?, ?, ?)");
	db.transaction(() => {
		for (const chunk of chunks) {
			const owner = chunk.organisation ?? organisation;
			addChunk.run(owner, chunk.id, chunk.document ?? "doc");
			addVector.run(owner, chunk.space ?? space.name, chunk.id, bytesOf(chunk.vector));
		}
	})();
	addChunk.finalize();
	addVector.finalize();
}

export interface NewDocument {
	readonly id: string;
	readonly tags?: readonly string[];
	readonly organisation?: string;
	readonly isPublished?: boolean;
}

export function addDocuments(db: Database, documents: readonly NewDocument[]): void {
	db.transaction(() => {
		for (const { id, tags = [], organisation: owner = organisation, isPublished = true } of documents) {
			db.run(
				`INSERT INTO documents (organisation, id, content, container_tags, metadata, task_type, dreaming, status, dreaming_status, revision, published_edition, type, remarks, created_at, updated_at)
				VALUES (?, ?, '{}', ?, '{}', 'memory', 'instant', 'done', 'done', 1, ?, 'text', '[]', 0, 0)`,
				[owner, id, JSON.stringify(tags), isPublished ? 1 : null],
			);
			for (const tag of tags) db.run("INSERT INTO document_tags (organisation, tag, document) VALUES (?, ?, ?)", [owner, tag, id]);
		}
	})();
}

export interface NewMemory {
	readonly id: string;
	readonly vector: Vector;
	readonly container?: string;
	readonly isLatest?: boolean;
	readonly isForgotten?: boolean;
	readonly forgetAfter?: Date | null;
}

export function addMemories(db: Database, memories: readonly NewMemory[]): void {
	db.transaction(() => {
		for (const { id, vector, container = "box", isLatest = true, isForgotten = false, forgetAfter = null } of memories) {
			db.run(
				`INSERT INTO memories (organisation, id, container_tag, text, is_static, is_inference, confidence, forget_after, version, is_latest, is_forgotten, metadata, created_at, updated_at)
				VALUES (?, ?, ?, '', 0, 0, 1, ?, 1, ?, ?, '{}', 0, 0)`,
				[organisation, id, container, forgetAfter?.getTime() ?? null, isLatest, isForgotten],
			);
			db.run("INSERT INTO memory_vectors (organisation, space, memory, vector) VALUES (?, ?, ?, ?)", [organisation, space.name, id, bytesOf(vector)]);
		}
	})();
}

export function bytesOf(vector: Vector): Uint8Array {
	return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The same vectors for the same seed: unit vectors around some centres, as texts about some subjects are. */
export function clusteredVectors(count: number, seed: number, centres = 40, dimensions = space.dimensions): Vector[] {
	const random = randomFrom(seed);
	const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
	const middle = Array.from({ length: centres }, () => Float32Array.from({ length: dimensions }, normal));
	return Array.from({ length: count }, () => {
		const centre = middle[Math.floor(random() * centres)] ?? new Float32Array(dimensions);
		return unit(centre.map((value) => value + 0.7 * normal()));
	});
}

export function unit(vector: Vector): Vector {
	const norm = Math.hypot(...vector);
	return vector.map((value) => value / norm);
}

export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The ids nearest to the query among the chunks given, by plain arithmetic. */
export function bruteForce(query: Vector, chunks: readonly NewChunk[], limit: number): { readonly id: string; readonly score: number }[] {
	const scored = chunks.map(({ id, vector }) => ({ id, score: vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0) }));
	return scored.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** Which share of the right answers was found; of answers equally good any will do. */
export function recall(found: readonly { readonly score: number }[], right: readonly { readonly score: number }[]): number {
	const worst = right.at(-1)?.score ?? Number.NEGATIVE_INFINITY;
	return right.length === 0 ? 1 : Math.min(right.length, found.filter(({ score }) => score >= worst - 1e-5).length) / right.length;
}

export function tagged(...containerTags: readonly string[]): Scope {
	return { ...wholeOrganisation, containerTags };
}

/** Of a large partition the scores come from rows of 8-bit numbers; the port promises so much. */
export const roundedTo = 0.005;

/** As many as brute force finds, none of them worse by more than rounding, each with its cosine. */
export function expectNearest(found: readonly ChunkHit[], query: Vector, chunks: readonly NewChunk[], limit: number, rounding = 5e-6): void {
	const right = bruteForce(query, chunks, chunks.length);
	const scores = new Map(right.map(({ id, score }) => [id, score]));
	expect(new Set(idsOf(found)).size).toBe(Math.min(limit, right.length));
	for (const [i, { id, score }] of found.entries()) {
		const own = scores.get(id) ?? Number.NaN;
		expect(Math.abs(score - own)).toBeLessThanOrEqual(rounding);
		expect((right[i]?.score ?? 0) - own).toBeLessThanOrEqual(2 * rounding);
	}
}

export function idsOf(hits: readonly { readonly id: string }[]): string[] {
	return hits.map(({ id }) => id);
}
