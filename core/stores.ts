/** The public interface for record stores and for tests that look into them, `cairn-memory/stores`: rows, ports, scopes. */

export { wordEntry } from "./indexes/word-entry.ts";
export type { Caller, Grants, Role } from "./model/caller.ts";
export type { Container, ProfileBucket } from "./model/container.ts";
export type { Content } from "./model/content.ts";
export { type Document, type Dreaming, type Failure, type Findings, readableText, type TaskType } from "./model/document.ts";
export { documentTypes } from "./model/extraction.ts";
export { asNumber, asText, type Condition, type Filter, fold, matches } from "./model/filter.ts";
export { type AnyId, type ChunkId, type DocumentId, isId, type JobId, type KeyId, newId, type RandomBytes, type RemovalId } from "./model/id.ts";
export { type Evidence, isCurrent, type MemoryEdge, type Relation, relations } from "./model/memory.ts";
export type { Metadata, MetadataValue } from "./model/metadata.ts";
export type { AbsenceKind, Moment } from "./model/moment.ts";
export { attachmentsPrefix, descendantsPrefix, parentOf, rootOf } from "./model/reserved-custom-ids.ts";
export { isUnrestricted, type Scope, wholeOrganisation } from "./model/scope.ts";
export { type DocumentStatus, type DreamingStatus, documentStatuses, isFinished, unfinishedStatuses } from "./model/status.ts";
export { calibrationFault, type StoredSpace, vectorFault } from "./model/vector.ts";
export type { DamagedOrganisation, DamagedStore, NamedOrganisation, NeededBlob, RecordPlace } from "./plugin/contract/folder-tools.ts";
export type {
	Cell,
	LoggedWrite,
	Row,
	RowKey,
	RowPage,
	RowPlace,
	RowSource,
	RowTarget,
	RowTools,
	SettledSource,
	TableReader,
} from "./plugin/contract/row-tools.ts";
export {
	type AccountStore,
	type ApiKey,
	type KeyChange,
	noQuotas,
	type Organisation,
	type OrganisationAccount,
	type Quotas,
	type RateLimit,
} from "./ports/account-store.ts";
export type { ContainerChange, ContainerStore, CountedContainer } from "./ports/container-store.ts";
export type { DocumentChange, DocumentStore, EmbeddedChunk, Facet, Listed, Page, Position, Tallies } from "./ports/document-store.ts";
export type { EmbeddingSpaceStore, LackingText, MadeVector, SpaceProgress, SpaceState, TextPlace } from "./ports/embedding-space-store.ts";
export { type AuditEventType, clientEventTypes, type EventLog, type EventType, type LogEvent } from "./ports/event-log.ts";
export type { Changed, ChunkPlace, IndexSource, SourceChanges, TextSource, VectorSource } from "./ports/index-source.ts";
export type { Job, JobQueue, NewJob, Task } from "./ports/job-queue.ts";
export type { Ground, MemoryAmendment, MemoryStore } from "./ports/memory-store.ts";
export type { ProfilePart, ProfileStore, Sorted } from "./ports/profile-store.ts";
export type { PutOptions, RecordKind, RecordStore, StoredRecord } from "./ports/record-store.ts";
export type { RemovalStore } from "./ports/removal-store.ts";
export type {
	BlobRemover,
	OutsideTables,
	Statistics,
	Storage,
	StoragePlugin,
	StoredTable,
	TakenToken,
	TaskStatistics,
	TenantRecords,
	TenantStore,
} from "./ports/storage.ts";
export type { ChunkHit, Hit, MemoryFilter, VectorSearch } from "./ports/vector-search.ts";
export type { Matched, QueryTerm, SpelledTerm, WordSearch } from "./ports/word-search.ts";
export type { LogLevel } from "./ports/world.ts";
export { crashPauseMs } from "./runtime/backoff.ts";
export { createSettledClock } from "./runtime/settled-clock.ts";
export { givenTitle } from "./text/given-title.ts";
