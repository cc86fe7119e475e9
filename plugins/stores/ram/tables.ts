/** What the RAM storage holds: the tables of one organisation, and the jobs of all. */

import type {
	AbsenceKind,
	Chunk,
	Container,
	Document,
	DocumentId,
	JobId,
	Memory,
	MemoryEdge,
	MemoryId,
	NewJob,
	OrganisationId,
	RemovalId,
	StoredRecord,
	StoreEvent,
	Vector,
} from "cairn-memory";

export interface StoredChunk {
	readonly chunk: Chunk;
	readonly vector: Vector;
	/** The name of the vector's space. */
	readonly space: string;
}

export interface StoredMemory {
	readonly memory: Memory;
	readonly vector: Vector;
	readonly space: string;
}

export interface Staged {
	readonly revision: number;
	readonly chunks: readonly StoredChunk[];
}

/** A document that may come back, with what went with it. */
export interface RemovedDocument {
	readonly removal: RemovalId;
	readonly removedAt: Date;
	readonly expiresAt: Date;
	readonly document: Document;
	readonly chunks: readonly StoredChunk[] | null;
	readonly memories: readonly StoredMemory[];
	readonly edges: readonly MemoryEdge[];
	/** Edges that closed the gaps. */
	readonly closing: readonly MemoryEdge[];
	/** Memories that stayed, and were mended. */
	readonly changed: readonly { readonly before: Memory; readonly after: Memory }[];
}

export interface Absence {
	readonly kind: AbsenceKind;
	readonly begins: Date;
	readonly ends: Date | null;
}

export interface Tables {
	readonly documents: Map<DocumentId, Document>;
	/** The memory extractors that a document's memories are of. */
	readonly extractedBy: Map<DocumentId, string>;
	/** Chunks no search sees yet. */
	readonly staged: Map<DocumentId, Staged>;
	/** The visible chunks of each document, by position. */
	readonly published: Map<DocumentId, readonly StoredChunk[]>;
	readonly memories: Map<MemoryId, StoredMemory>;
	/** By the id of a chunk or a memory and then by space: vectors of other spaces than the one it came with. */
	readonly furtherVectors: Map<string, Map<string, Vector>>;
	readonly edges: MemoryEdge[];
	/** When memories were away, and why. */
	readonly absences: Map<MemoryId, readonly Absence[]>;
	/** Where memories belong in profiles, and under which sorting that was decided. */
	readonly sortings: Map<MemoryId, { readonly sorting: string; readonly buckets: readonly string[] }>;
	/** In the order of their removal. */
	readonly removed: RemovedDocument[];
	readonly blobs: Map<string, Uint8Array>;
	readonly containers: Map<string, Container>;
	/** By kind and id. */
	readonly records: Map<string, StoredRecord>;
	/** In order. */
	readonly events: StoreEvent[];
	/** What indexes were given, by position: tags by id. */
	readonly indexed: Map<string, ReadonlyMap<string, string>>;
}

export function emptyTables(): Tables {
	return {
		documents: new Map(),
		extractedBy: new Map(),
		staged: new Map(),
		published: new Map(),
		memories: new Map(),
		furtherVectors: new Map(),
		edges: [],
		absences: new Map(),
		sortings: new Map(),
		removed: [],
		blobs: new Map(),
		containers: new Map(),
		records: new Map(),
		events: [],
		indexed: new Map(),
	};
}

/** Every chunk that a search may see, with its document. */
export function* publishedChunks({ documents, published }: Tables): Generator<StoredChunk & { readonly of: Document }> {
	for (const [id, chunks] of published) {
		const of = documents.get(id);
		if (of !== undefined) for (const chunk of chunks) yield { ...chunk, of };
	}
}

/** Null when it has none in this space. */
export function vectorIn(space: string, stored: Pick<StoredChunk, "space" | "vector">, id: string, { furtherVectors }: Tables): Vector | null {
	return stored.space === space ? stored.vector : (furtherVectors.get(id)?.get(space) ?? null);
}

export type AllTables = Map<OrganisationId, Tables>;

export interface JobRow {
	readonly job: NewJob;
	readonly attempt: number;
	readonly lease: { readonly name: string; readonly until: Date } | null;
}

/** In the order in which they were added. */
export type JobRows = Map<JobId, JobRow>;
