/** A connection: which service is read, for whom, when next, and how the last runs went. */

import { fail } from "../errors/fail.ts";
import type { Metadata } from "../model/metadata.ts";
import type { ConnectorConfig, Resource } from "../plugin/contract.ts";
import type { Vault } from "../ports/vault.ts";

/** The stored form: JSON, times in ISO 8601. A type and not an interface, since only a type is known to be JSON. */
export type Connection = {
	readonly id: string;
	readonly provider: string;
	/** At least one. */
	readonly containerTags: readonly string[];
	readonly documentLimit: number;
	/** As the client sent it, without secrets; it is shown and copied to documents. */
	readonly metadata: Metadata;
	/** What the connector needs, with secrets, encrypted. */
	readonly sealed: string;
	/** The resources that a client has chosen; null for all. The choice survives new keys. */
	readonly chosen: readonly Resource[] | null;
	/** What it reads, without secrets. A request to create the same again means this connection. */
	readonly source: string;
	/** The id of the key that created it. */
	readonly by: string;
	readonly createdAt: string;
	/** Null while it waits for new keys. */
	readonly nextSyncAt: string | null;
	/** The newest first. */
	readonly runs: readonly SyncRun[];
	/** It is being deleted: it is hidden, and its job removes what is left. */
	readonly deletion: { readonly keepsDocuments: boolean } | null;
};

export const syncErrorCodes = ["auth_expired", "rate_limited", "provider_unavailable", "internal"] as const;
export type SyncErrorCode = (typeof syncErrorCodes)[number];

/** One sync with all its attempts. */
export type SyncRun = {
	readonly id: string;
	readonly status: "running" | "completed" | "failed";
	readonly startedAt: string;
	readonly completedAt: string | null;
	/** Why it failed, or why its last try did. */
	readonly errorCode: SyncErrorCode | null;
	readonly error: string | null;
	/** When the next try is due; null when none is. */
	readonly retryAt: string | null;
	/** Documents added or changed so far. */
	readonly documentsSynced: number;
	readonly documentsRemoved: number;
	readonly progress: { readonly done: number; readonly total: number; readonly unit: string } | null;
	/** Warnings about single items; clients see them as `remarks`. */
	readonly remarks: readonly { readonly code: string; readonly message: string }[];
};

/** The purpose that a connection's secrets are encrypted for. */
export function vaultPurpose(id: string): string {
	return `connection ${id}`;
}

/** The configuration of its connector, with its secrets read from the vault. @throws ServiceError `CONNECTION_SEALED` */
export function openConfig({ id, sealed }: Connection, vault: Vault): ConnectorConfig {
	const opened = vault.open(sealed, vaultPurpose(id));
	if (opened === null) throw fail("CONNECTION_SEALED");
	return JSON.parse(opened);
}
