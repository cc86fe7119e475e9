/** Sample values for contract tests and tests: sensible defaults, everything can be overridden, the same seed gives the same ids. */

import { asId, type Chunk, type EmbeddingSpace, type Memory, type OrganisationId, type Vector } from "cairn-memory";
import {
	type AnyId,
	type ApiKey,
	type Document,
	type DocumentId,
	type Evidence,
	type MemoryEdge,
	type NewJob,
	newId,
	type RandomBytes,
	type Relation,
} from "cairn-memory/stores";

/** When the world of the samples begins. Whatever is made later is a second younger. */
export const sampleDawn = new Date("2026-01-01T00:00:00.000Z");

export const sampleOrganisation = asId<OrganisationId>("organisationAAAAAAAAAA");

export const sampleSpace: EmbeddingSpace = { name: "sample-1", dimensions: 16, metric: "cosine", calibration: { unrelated: 0, related: 1, weight: 1 } };

export interface Samples {
	/** From 0 up to 1. */
	readonly random: () => number;
	readonly pick: <T>(choices: readonly T[]) => T;
	readonly newId: <Kind extends AnyId>() => Kind;
	/** One second after the time given before. */
	readonly nextTime: () => Date;
	/** Of unit length. */
	readonly makeVector: (dimensions?: number) => Vector;
	readonly makeDocument: (overrides?: Partial<Document>) => Document;
	readonly makeChunk: (document: Pick<Document, "id" | "revision">, overrides?: Partial<Chunk>) => Chunk;
	/** Written by a client unless the overrides name an extractor, so it needs no evidence. */
	readonly makeMemory: (overrides?: Partial<Memory>) => Memory;
	/** The job `ingest` of a document. */
	readonly makeJob: (document: Pick<Document, "id" | "organisation">, overrides?: Partial<NewJob>) => NewJob;
	readonly makeKey: (overrides?: Partial<ApiKey>) => ApiKey;
}

export function createSamples(seed: number): Samples {
	const random = seededRandom(seed);
	const randomBytes: RandomBytes = (byteLength) => Uint8Array.from({ length: byteLength }, () => Math.floor(random() * 256));
	const id = <Kind extends AnyId>() => newId<Kind>(randomBytes);
	let seconds = 0;
	const nextTime = () => new Date(sampleDawn.getTime() + 1_000 * ++seconds);
	return {
		random,
		pick: (choices) => pickFrom(choices, random),
		newId: id,
		nextTime,
		makeVector: (dimensions = sampleSpace.dimensions) => unitVector(dimensions, random),
		makeDocument: (overrides = {}) => ({ ...documentDefaults(nextTime()), id: id<DocumentId>(), ...overrides }),
		makeChunk: (document, overrides = {}) => {
			const text = overrides.text ?? "the harbour opens at dawn";
			return { id: id(), document: document.id, revision: document.revision, position: 0, text, indexedText: text, place: {}, ...overrides };
		},
		makeMemory: (overrides = {}) => ({ ...memoryDefaults(nextTime()), id: id(), ...overrides }),
		makeJob: (document, overrides = {}) => ({
			id: id(),
			organisation: document.organisation,
			task: "ingest",
			subject: document.id,
			notBefore: sampleDawn,
			trace: `00-${hexadecimal(randomBytes(16))}-${hexadecimal(randomBytes(8))}-01`,
			...overrides,
		}),
		makeKey: (overrides = {}) => ({
			id: id(),
			organisation: sampleOrganisation,
			name: "laptop",
			hash: hexadecimal(randomBytes(32)),
			role: "admin",
			grants: null,
			endpoints: null,
			rateLimit: null,
			isEnabled: true,
			expiresAt: null,
			createdAt: nextTime(),
			...overrides,
		}),
	};
}

/** The words of a chunk that support a memory. */
export function evidenceIn(chunk: Pick<Chunk, "id" | "document" | "text">): Evidence {
	return { document: chunk.document, chunk: chunk.id, span: [0, chunk.text.length] };
}

export function edgeBetween(from: Pick<Memory, "id">, relation: Relation, to: Pick<Memory, "id">): MemoryEdge {
	return { from: from.id, to: to.id, relation };
}

/** From 0 up to 1, always the same row for one seed: the generator known as mulberry32. */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

function pickFrom<T>(choices: readonly T[], random: () => number): T {
	const picked = choices[Math.floor(random() * choices.length)];
	if (picked === undefined) throw new RangeError("there is nothing to pick from");
	return picked;
}

function unitVector(dimensions: number, random: () => number): Vector {
	const raw = Array.from({ length: dimensions }, () => random() * 2 - 1);
	const norm = Math.hypot(...raw);
	return Float32Array.from(raw, (value) => value / norm);
}

function hexadecimal(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function documentDefaults(createdAt: Date): Omit<Document, "id"> {
	return {
		organisation: sampleOrganisation,
		customId: null,
		containerTags: ["team"],
		content: { kind: "text", text: "the harbour opens at dawn", mediaType: "text/plain" },
		metadata: {},
		filepath: null,
		taskType: "memory",
		dreaming: "dynamic",
		neighbourFilter: null,
		writtenBy: null,
		status: "queued",
		dreamingStatus: "dreaming",
		revision: 1,
		publishedRevision: null,
		findings: { type: "text", title: null, summary: null, language: null, text: null, warnings: [], about: {} },
		failure: null,
		progress: null,
		createdAt,
		updatedAt: createdAt,
	};
}

function memoryDefaults(createdAt: Date): Omit<Memory, "id"> {
	return {
		text: "the harbour opens at dawn",
		isStatic: false,
		isInference: false,
		confidence: 1,
		subject: null,
		eventTime: null,
		forgetAfter: null,
		evidence: [],
		containerTag: "team",
		version: 1,
		parent: null,
		root: null,
		isLatest: true,
		isForgotten: false,
		forgetReason: null,
		metadata: {},
		extractor: null,
		createdAt,
		updatedAt: createdAt,
	};
}
