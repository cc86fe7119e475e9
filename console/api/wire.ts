/** What the wire API answers, as the server itself declares it. Only types: nothing of the server gets into the bundle. */

import type { toScoreParts } from "../../server/wire/responses/explanation.ts";
import type { toChunk, toDocument, toListedDocument } from "../../server/wire/v3/documents/document.ts";
import type { toInferred } from "../../server/wire/v3/documents/inferred.ts";
import type { toBackupRun, toBackups } from "../../server/wire/v3/organisation/backups.ts";
import type { toConnection, toNewConnection, toSyncRuns } from "../../server/wire/v3/organisation/connection-response.ts";
import type { toConsents } from "../../server/wire/v3/organisation/consent-response.ts";
import type { toContainer, toListedContainer } from "../../server/wire/v3/organisation/container-response.ts";
import type { toAudit, toKey, toSession } from "../../server/wire/v3/organisation/key-response.ts";
import type { toServer } from "../../server/wire/v3/organisation/machine.ts";
import type { toOrganisation } from "../../server/wire/v3/organisation/organisations.ts";
import type { toSettings } from "../../server/wire/v3/organisation/settings-response.ts";
import type { toUsage } from "../../server/wire/v3/organisation/usage.ts";
import type { toDelivery, toNewWebhook, toWebhook } from "../../server/wire/v3/organisation/webhook-response.ts";
import type { toDocumentResults } from "../../server/wire/v3/search.ts";
import type { toGraph } from "../../server/wire/v4/graph.ts";
import type { toExtractedMemory, toMatches, toMemoryList, toRevised, toWritten } from "../../server/wire/v4/memory-responses.ts";
import type { toProfile } from "../../server/wire/v4/profile.ts";
import type { toDue } from "../../server/wire/v4/review.ts";
import type { toMemoryResults } from "../../server/wire/v4/search-response.ts";

export type ListedDocument = ReturnType<typeof toListedDocument>;
export type DocumentStatus = ListedDocument["status"];
export type Chunk = ReturnType<typeof toChunk>;
export type Place = Chunk["place"];
export type MemoryOfDocument = ReturnType<typeof toExtractedMemory>;
export type WholeDocument = Omit<ReturnType<typeof toDocument>, "content" | "memories"> & {
	readonly content: string | null;
	readonly memories?: readonly MemoryOfDocument[];
};
export type Container = ReturnType<typeof toListedContainer>;
export type DescribedContainer = ReturnType<typeof toContainer>;
export type Key = ReturnType<typeof toKey>;
export type Consent = ReturnType<typeof toConsents>["consents"][number];
export type Session = ReturnType<typeof toSession>;
export type Settings = ReturnType<typeof toSettings>;
export type ModelUse = NonNullable<Settings["modelUses"]>[number];
export type Usage = ReturnType<typeof toUsage>;
export type Organisation = ReturnType<typeof toOrganisation>;
export type Quotas = Organisation["quotas"];
export type ServerState = ReturnType<typeof toServer>;
export type Backups = ReturnType<typeof toBackups>;
export type BackupRun = ReturnType<typeof toBackupRun>;
export type Audit = ReturnType<typeof toAudit>;
export type Webhook = ReturnType<typeof toWebhook>;
export type EventType = NonNullable<Webhook["types"]>[number];
export type NewWebhook = ReturnType<typeof toNewWebhook>;
export type Delivery = ReturnType<typeof toDelivery>;
export type Connection = ReturnType<typeof toConnection>;
export type CreatedConnection = ReturnType<typeof toNewConnection>;
export type SyncRun = ReturnType<typeof toSyncRuns>["syncRuns"][number];
export type DocumentResults = ReturnType<typeof toDocumentResults>;
export type DocumentHit = DocumentResults["results"][number];
export type ScoreParts = NonNullable<ReturnType<typeof toScoreParts>>;
export type MemoryList = ReturnType<typeof toMemoryList>;
export type MatchingMemories = ReturnType<typeof toMatches>;
export type CandidateMemories = Extract<MatchingMemories, { readonly candidates: unknown }>;
export type WrittenMemories = ReturnType<typeof toWritten>;
export type RevisedMemory = ReturnType<typeof toRevised>;
export type ListedMemory = MemoryList["memoryEntries"][number];
export type MemoryGraph = ReturnType<typeof toGraph>;
export type Profile = ReturnType<typeof toProfile>;
export type DueMemories = ReturnType<typeof toDue>;
export type InferredMemories = ReturnType<typeof toInferred>;

type FoundItem = ReturnType<typeof toMemoryResults>["results"][number];
export type MemoryHit = Extract<FoundItem, { readonly memory: string }>;
export type PassageHit = Extract<FoundItem, { readonly chunk: string }>;
export interface MemoryResults<Hit = MemoryHit> {
	/** Memories alone, unless a search asks for more. */
	readonly results: readonly Hit[];
	readonly timing: number;
	readonly explanation?: { readonly why: string | null; readonly hint: string | null };
}

export interface DocumentPage {
	readonly memories: readonly ListedDocument[];
	readonly pagination: { readonly totalItems: number };
	readonly nextCursor: string | null;
}

/** Of `/v3/documents/documents/by-ids`. */
export interface NamedDocuments {
	readonly documents: readonly (ListedDocument & { readonly memoryEntries: readonly MemoryEntry[] })[];
}

interface MemoryEntry {
	readonly id: string;
	readonly documentId: string;
	readonly sourceMetadata: { readonly evidence: readonly { readonly chunkId: string; readonly span: readonly [number, number] }[] };
}

export interface Receipt {
	readonly id: string;
	readonly status: DocumentStatus;
}
