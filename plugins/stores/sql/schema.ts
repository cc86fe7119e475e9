/**
 * The tables, as Drizzle knows them. `migrations/` creates them, and a test checks that both agree. They refer to each other and are read
 * from top to bottom, so they stay in one file.
 *
 * Every unique index begins with the organisation. If a table has an integer `key`, it only numbers the rows: it ascends, is never used
 * again, and the word and vector indexes refer to the row by it. The identity of a row is its unique index.
 *
 * An *edition* is one staging of a document's chunks. It is not the revision, because one revision may be staged twice
 * when a try is repeated after it was published: the second staging must stay invisible until it is published as well.
 */

import type { AbsenceKind, Grants, ProfileBucket, Quotas, RateLimit, Role } from "cairn-memory/stores";
// Imported by their own paths, because the whole of `sqlite-core` is a hundred modules, most of them a query builder.
import { blob, integer, real, text } from "drizzle-orm/sqlite-core/columns";
import { primaryKey } from "drizzle-orm/sqlite-core/primary-keys";
import { sqliteTable } from "drizzle-orm/sqlite-core/table";

const organisation = () => text("organisation").notNull();

export const organisations = sqliteTable("organisations", {
	id: text("id").primaryKey(),
	name: text("name").notNull(),
	slug: text("slug").notNull(),
	createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
	quotas: text("quotas", { mode: "json" }).$type<Quotas>(),
	/** When its removal began. */
	removedAt: integer("removed_at", { mode: "timestamp_ms" }),
});

/** Counted by triggers; an organisation without documents may have no row. */
export const organisationUsage = sqliteTable("organisation_usage", {
	organisation: text("organisation").primaryKey(),
	documents: integer("documents").notNull(),
	bytes: integer("bytes").notNull(),
});

export const apiKeys = sqliteTable(
	"api_keys",
	{
		organisation: organisation(),
		id: text("id").notNull(),
		name: text("name").notNull(),
		hash: text("hash").notNull(),
		createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
		role: text("role").$type<Role>().notNull().default("admin"),
		grants: text("reach", { mode: "json" }).$type<Grants>(),
		endpoints: text("endpoints", { mode: "json" }).$type<readonly string[]>(),
		rateLimit: text("rate_limit", { mode: "json" }).$type<RateLimit>(),
		isEnabled: integer("is_enabled", { mode: "boolean" }).notNull().default(true),
		expiresAt: integer("expires_at", { mode: "timestamp_ms" }),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.id] })],
);

export const documents = sqliteTable(
	"documents",
	{
		organisation: organisation(),
		id: text("id").notNull(),
		customId: text("custom_id"),
		/** `Content` as JSON, the text of a `TextContent` left out: see `documentTexts`. */
		content: text("content").notNull(),
		/** The blob the content points to, for finding blobs that nothing points to. */
		blob: text("blob"),
		containerTags: text("container_tags").notNull(),
		metadata: text("metadata").notNull(),
		filepath: text("filepath"),
		taskType: text("task_type").notNull(),
		dreaming: text("dreaming").notNull(),
		status: text("status").notNull(),
		dreamingStatus: text("dreaming_status").notNull(),
		revision: integer("revision").notNull(),
		publishedRevision: integer("published_revision"),
		/** The visible edition. Chunks of other editions are not visible. */
		publishedEdition: integer("published_edition"),
		stagedRevision: integer("staged_revision"),
		stagedEdition: integer("staged_edition"),
		lastEdition: integer("last_edition").notNull().default(0),
		type: text("type").notNull(),
		title: text("title"),
		summary: text("summary"),
		language: text("language"),
		remarks: text("remarks").notNull(),
		failure: text("failure"),
		progress: text("progress"),
		createdAt: integer("created_at").notNull(),
		updatedAt: integer("updated_at").notNull(),
		neighbourFilter: text("neighbour_filter"),
		writtenBy: text("written_by"),
		/** Metadata that the source states about itself; null in rows from before this column existed. */
		about: text("about"),
		/** The memory extractors that have extracted its memories; null in rows from before this column existed. */
		extractedBy: text("extracted_by"),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.id] })],
);

/** Up to 10 million characters each. They are in a table of their own, so that lists do not read them. */
export const documentTexts = sqliteTable(
	"document_texts",
	{ organisation: organisation(), document: text("document").notNull(), content: text("content"), found: text("found") },
	(table) => [primaryKey({ columns: [table.organisation, table.document] })],
);

export const documentTags = sqliteTable(
	"document_tags",
	{ organisation: organisation(), tag: text("tag").notNull(), document: text("document").notNull(), customId: text("custom_id") },
	(table) => [primaryKey({ columns: [table.organisation, table.tag, table.document] })],
);

/** One row for each element of a value, as `metadata-sql.ts` asks for them; an empty list is one row of NULLs. */
const elementColumns = () => ({
	key: text("key").notNull(),
	element: integer("element").notNull(),
	text: text("text"),
	/** The text in lower case by JavaScript, because SQLite's `lower` only knows ASCII. */
	folded: text("folded"),
	/** Only for single values: numbers in a list are not compared as numbers. */
	number: real("number"),
});

export const documentMetadata = sqliteTable(
	"document_metadata",
	{ organisation: organisation(), document: text("document").notNull(), ...elementColumns() },
	(table) => [primaryKey({ columns: [table.organisation, table.document, table.key, table.element] })],
);

export const chunks = sqliteTable("chunks", {
	key: integer("key").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	id: text("id").notNull(),
	document: text("document").notNull(),
	revision: integer("revision").notNull(),
	edition: integer("edition").notNull(),
	position: integer("position").notNull(),
	text: text("text").notNull(),
	/** NULL if it is the same as the text. */
	indexedText: text("indexed_text"),
	place: text("place").notNull(),
});

/** One row for each space. `vector` is 32-bit floats, little-endian, as core passed them. Deleted together with the chunk. */
export const chunkVectors = sqliteTable("chunk_vectors", {
	key: integer("key").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	space: text("space").notNull(),
	chunk: text("chunk").notNull(),
	vector: blob("vector").notNull(),
});

/** Editions that are no longer visible and whose chunks are still to be deleted. */
export const discardedEditions = sqliteTable(
	"discarded_editions",
	{ organisation: organisation(), document: text("document").notNull(), edition: integer("edition").notNull() },
	(table) => [primaryKey({ columns: [table.organisation, table.document, table.edition] })],
);

export const memories = sqliteTable("memories", {
	key: integer("key").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	id: text("id").notNull(),
	containerTag: text("container_tag").notNull(),
	text: text("text").notNull(),
	isStatic: integer("is_static").notNull(),
	isInference: integer("is_inference").notNull(),
	confidence: real("confidence").notNull(),
	subject: text("subject"),
	eventTime: integer("event_time"),
	forgetAfter: integer("forget_after"),
	version: integer("version").notNull(),
	parent: text("parent"),
	root: text("root"),
	isLatest: integer("is_latest").notNull(),
	isForgotten: integer("is_forgotten").notNull(),
	forgetReason: text("forget_reason"),
	metadata: text("metadata").notNull(),
	extractor: text("extractor"),
	createdAt: integer("created_at").notNull(),
	updatedAt: integer("updated_at").notNull(),
	/** The name of the sorting that its buckets come from. */
	sorting: text("sorting"),
	saidAt: integer("said_at"),
	reviewAfter: integer("review_after"),
	/** NULL if it is the same as the text. */
	indexedText: text("indexed_text"),
});

/** When a memory was absent, and why: an `AbsenceKind`. A removal that is undone leaves one. It is deleted when the memory's traces are erased. */
export const memoryAbsences = sqliteTable(
	"memory_absences",
	{
		organisation: organisation(),
		memory: text("memory").notNull(),
		kind: text("kind").$type<AbsenceKind>().notNull(),
		begins: integer("begins").notNull(),
		ends: integer("ends"),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.memory, table.kind, table.begins] })],
);

/** Container and time are those of the memory, so that a profile reads its newest in order. */
export const memoryBuckets = sqliteTable(
	"memory_buckets",
	{
		organisation: organisation(),
		containerTag: text("container_tag").notNull(),
		bucket: text("bucket").notNull(),
		createdAt: integer("created_at").notNull(),
		memory: text("memory").notNull(),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.containerTag, table.bucket, table.createdAt, table.memory] })],
);

/** Like `chunkVectors`. */
export const memoryVectors = sqliteTable("memory_vectors", {
	key: integer("key").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	space: text("space").notNull(),
	memory: text("memory").notNull(),
	vector: blob("vector").notNull(),
});

export const memoryEvidence = sqliteTable(
	"memory_evidence",
	{
		organisation: organisation(),
		memory: text("memory").notNull(),
		ordinal: integer("ordinal").notNull(),
		document: text("document").notNull(),
		chunk: text("chunk").notNull(),
		spanBegin: integer("span_begin").notNull(),
		spanEnd: integer("span_end").notNull(),
		/** `Evidence.words`. */
		words: text("words"),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.memory, table.ordinal] })],
);

/** `source` is the newer memory, `target` the older: `from` and `to` of a `MemoryEdge`. It is as old as its source. */
export const memoryEdges = sqliteTable(
	"memory_edges",
	{
		organisation: organisation(),
		source: text("source").notNull(),
		target: text("target").notNull(),
		relation: text("relation").notNull(),
		createdAt: integer("created_at").notNull(),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.source, table.target, table.relation] })],
);

export const memoryMetadata = sqliteTable(
	"memory_metadata",
	{ organisation: organisation(), memory: text("memory").notNull(), ...elementColumns() },
	(table) => [primaryKey({ columns: [table.organisation, table.memory, table.key, table.element] })],
);

/** A job without a lease is waiting. */
export const jobs = sqliteTable(
	"jobs",
	{
		organisation: organisation(),
		id: text("id").notNull(),
		task: text("task").notNull(),
		subject: text("subject").notNull(),
		notBefore: integer("not_before").notNull(),
		attempt: integer("attempt").notNull().default(0),
		lease: text("lease"),
		leasedUntil: integer("leased_until"),
		worker: text("worker"),
		why: text("why"),
		trace: text("trace"),
		crashes: integer("crashes").notNull().default(0),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.id] })],
);

export const containers = sqliteTable(
	"containers",
	{
		organisation: organisation(),
		tag: text("tag").notNull(),
		name: text("name"),
		description: text("description"),
		entityContext: text("entity_context"),
		memoryFilesystemPaths: text("memory_filesystem_paths", { mode: "json" }).$type<readonly string[]>(),
		profileBuckets: text("profile_buckets", { mode: "json" }).$type<readonly ProfileBucket[]>().notNull().default([]),
		createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
		updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
		emoji: text("emoji"),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.tag] })],
);

/** `value` is JSON. */
export const records = sqliteTable(
	"records",
	{
		organisation: organisation(),
		kind: text("kind").notNull(),
		id: text("id").notNull(),
		value: text("value").notNull(),
		version: integer("version").notNull(),
		expiresAt: integer("expires_at"),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.kind, table.id] })],
);

/** `row` is a row of `documents`, `memories` what `memory-removal.ts` undid: both JSON. */
export const removedDocuments = sqliteTable(
	"removed_documents",
	{
		organisation: organisation(),
		removal: text("removal").notNull(),
		document: text("document").notNull(),
		row: text("row").notNull(),
		blob: text("blob"),
		memories: text("memories").notNull(),
		expiresAt: integer("expires_at").notNull(),
	},
	(table) => [primaryKey({ columns: [table.organisation, table.removal, table.document] })],
);

/** One row. `next` and the columns after it are about the space that is being backfilled. */
export const spaceState = sqliteTable("space_state", {
	only: integer("only").primaryKey(),
	active: text("active"),
	previous: text("previous"),
	next: text("next"),
	reachedChunk: integer("reached_chunk").notNull().default(0),
	reachedMemory: integer("reached_memory").notNull().default(0),
	written: integer("written").notNull().default(0),
	share: real("share").notNull().default(0),
	isAtEnd: integer("is_at_end", { mode: "boolean" }).notNull().default(false),
});

/** `text` is the key of a chunk or a memory that was deleted or restored. Written by triggers, and when memories are restored. */
export const textChanges = sqliteTable("text_changes", {
	sequence: integer("sequence").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	kind: text("kind").notNull(),
	text: integer("text").notNull(),
	/** Its id; NULL in rows from before this column existed. */
	id: text("id"),
});

/** Documents that may be in other scopes than before. Written by triggers. */
export const scopeChanges = sqliteTable("scope_changes", {
	sequence: integer("sequence").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	document: text("document").notNull(),
});

/** Memories that are in another container than before. Written by a trigger. */
export const memoryMoves = sqliteTable("memory_moves", {
	sequence: integer("sequence").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	memory: text("memory").notNull(),
});

/** Memories that searches may see again, or in another container. Written by triggers. */
export const memoryReturns = sqliteTable("memory_returns", {
	sequence: integer("sequence").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	memory: text("memory").notNull(),
});

/** Events of documents and memories are written by triggers. */
export const events = sqliteTable("events", {
	sequence: integer("sequence").primaryKey({ autoIncrement: true }),
	organisation: organisation(),
	type: text("type").notNull(),
	at: integer("at").notNull(),
	subject: text("subject").notNull(),
	containerTags: text("container_tags").notNull(),
	facts: text("facts").notNull(),
});
