/** A connection: which provider is synced into which containers, when the next sync is due, and how the last runs went. */

import { fail } from "../errors/fail.ts";
import type { Metadata } from "../model/metadata.ts";
import type { ConnectorConfig, Credentials, Resource, SignedIn } from "../plugin/contract.ts";
import type { Vault } from "../ports/vault.ts";

/** The stored form: JSON, with times in ISO 8601. It is a type alias because TypeScript does not assign an interface to a JSON type. */
export type Connection = {
	readonly id: string;
	readonly provider: string;
	/** At least one tag. */
	readonly containerTags: readonly string[];
	/** Present while its containers are merged: those from which the merge still moves its documents to one of `containerTags`. */
	readonly mergedTags?: readonly string[];
	readonly documentLimit: number;
	/** As the client sent it, without secrets; it is shown and copied to documents. */
	readonly metadata: Metadata;
	/** The encrypted configuration of the connector, with its secrets. */
	readonly sealed: string;
	/** Present if the provider needs a sign-in. The credentials are encrypted. `at` is when somebody signed in; earlier versions did not store it. */
	readonly signedIn?: { readonly account: SignedIn["account"]; readonly credentials: string; readonly at?: string };
	/** The resources that a client has chosen; null for all. The choice stays when the connection gets new keys. */
	readonly chosen: readonly Resource[] | null;
	/** The configuration without secrets and the account, as a string. A request to create a connection with the same source changes this one. */
	readonly source: string;
	/** The id of the key that created it. */
	readonly by: string;
	readonly createdAt: string;
	/** Null if its keys no longer work, until it gets new ones. */
	readonly nextSyncAt: string | null;
	/** When the next sync is due by the schedule; present if the one at `nextSyncAt` comes before it, for what the last could not read. */
	readonly wholeSyncAt?: string;
	/** Present from when somebody asks for everything to be looked at until a run that does so starts. */
	readonly wantsWholeSync?: true;
	/** Newest first. */
	readonly runs: readonly SyncRun[];
	/** Not null while it is being deleted: clients no longer see it, and its job removes what is left. */
	readonly deletion: { readonly keepsDocuments: boolean } | null;
};

export const syncErrorCodes = ["auth_expired", "rate_limited", "provider_unavailable", "internal"] as const;
export type SyncErrorCode = (typeof syncErrorCodes)[number];

/** One sync with all its attempts. */
export type SyncRun = {
	readonly id: string;
	readonly status: "running" | "completed" | "failed";
	readonly startedAt: string;
	/** Whether it is only for what the one before could not read. Earlier versions did not store it. */
	readonly isRetry?: boolean;
	readonly completedAt: string | null;
	/** Why it failed, or why its last attempt failed. */
	readonly errorCode: SyncErrorCode | null;
	readonly error: string | null;
	/** When the next attempt is due; null if there is none. */
	readonly retryAt: string | null;
	/** Documents added or changed so far. */
	readonly documentsSynced: number;
	readonly documentsRemoved: number;
	readonly progress: { readonly done: number; readonly total: number; readonly unit: string } | null;
	/** Warnings about single items; clients see them as `remarks`. */
	readonly remarks: readonly { readonly code: string; readonly message: string }[];
};

/** The next sync looks at everything again, also if one is running now. */
export function withWholeSync(connection: Connection): Connection {
	return { ...connection, wantsWholeSync: true };
}

/** The purpose that a connection's secrets are encrypted for. */
export function vaultPurpose(id: string): string {
	return `connection ${id}`;
}

/** The purpose that the credentials of its sign-in are encrypted for. */
export function credentialsPurpose(id: string): string {
	return `sign-in ${id}`;
}

/** Decrypts the credentials of the sign-in. @throws ServiceError `CONNECTION_SEALED` */
export function openCredentials({ id, signedIn }: Connection, vault: Vault): Credentials {
	const opened = signedIn === undefined ? null : vault.open(signedIn.credentials, credentialsPurpose(id));
	if (opened === null) throw fail("CONNECTION_SEALED");
	return JSON.parse(opened);
}

/** Decrypts the configuration of the connector, with its secrets. @throws ServiceError `CONNECTION_SEALED` */
export function openConfig({ id, sealed }: Connection, vault: Vault): ConnectorConfig {
	const opened = vault.open(sealed, vaultPurpose(id));
	if (opened === null) throw fail("CONNECTION_SEALED");
	return JSON.parse(opened);
}

/** The purpose that a sign-in which has begun is encrypted for. */
export function pendingPurpose(id: string): string {
	return `pending sign-in ${id}`;
}

/** What is stored of a sign-in that has begun. Null if it is not of this server. */
export function openPending<Value>(id: string, sealed: unknown, vault: Vault): Value | null {
	const opened = typeof sealed === "string" ? vault.open(sealed, pendingPurpose(id)) : null;
	return opened === null ? null : (JSON.parse(opened) as Value);
}
