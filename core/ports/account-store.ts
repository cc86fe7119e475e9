/** Organisations and their API keys. */

import type { Caller } from "../model/caller.ts";
import type { KeyId, OrganisationId } from "../model/id.ts";

/** A key determines the caller: its organisation and its rights. */
export interface ApiKey extends Caller {
	readonly id: KeyId;
	readonly organisation: OrganisationId;
	readonly name: string;
	/** The hexadecimal SHA-256 of the key. The key itself is never stored. */
	readonly hash: string;
	/** Paths of the API that the key may call, each including all paths below it; null for all. */
	readonly endpoints: readonly string[] | null;
	readonly rateLimit: RateLimit | null;
	readonly isEnabled: boolean;
	readonly expiresAt: Date | null;
	readonly createdAt: Date;
}

export interface RateLimit {
	readonly requestsMax: number;
	readonly windowMs: number;
}

export type KeyChange = Partial<Pick<ApiKey, "name" | "role" | "isEnabled" | "expiresAt">>;

export interface Organisation {
	readonly id: OrganisationId;
	readonly name: string;
	readonly slug: string;
	readonly createdAt: Date;
}

/** What an organisation may use at most; null for no limit. */
export interface Quotas {
	readonly documents: number | null;
	/** The bytes of its texts and files, as they were sent. */
	readonly bytes: number | null;
	/** Tokens of language models in a day (UTC). */
	readonly tokensPerDay: number | null;
	readonly requestsPerMinute: number | null;
}

export const noQuotas: Quotas = { documents: null, bytes: null, tokensPerDay: null, requestsPerMinute: null };

export interface OrganisationAccount extends Organisation {
	readonly quotas: Quotas;
	/** What it has stored. Documents that were removed and can still be restored do not count. */
	readonly stored: Readonly<Record<"documents" | "bytes", number>>;
	/** When its removal began; null for one in use. */
	readonly removedAt: Date | null;
}

export interface AccountStore {
	/** Those in use, oldest first. */
	readonly organisations: () => Promise<readonly Organisation[]>;
	/** All, with those whose data is still being erased, oldest first. */
	readonly organisationAccounts: () => Promise<readonly OrganisationAccount[]>;
	readonly organisationAccount: (organisation: OrganisationId) => Promise<OrganisationAccount | null>;
	readonly addOrganisation: (organisation: Organisation) => Promise<void>;
	/** @returns false if it does not exist or is being removed. */
	readonly setQuotas: (organisation: OrganisationId, quotas: Quotas) => Promise<boolean>;
	/**
	 * Begins the removal of an organisation: its keys are deleted and no more can be added, in one transaction. `Storage.maintain` erases its
	 * data. @returns false if it does not exist.
	 */
	readonly removeOrganisation: (organisation: OrganisationId, now: Date) => Promise<boolean>;
	/** Ends the removal. @returns false, and changes nothing, if some of its data is left. */
	readonly endRemoval: (organisation: OrganisationId) => Promise<boolean>;
	readonly keyByHash: (hash: string) => Promise<ApiKey | null>;
	/** All keys, oldest first, including disabled and expired ones. */
	readonly keys: (organisation: OrganisationId) => Promise<readonly ApiKey[]>;
	/** Does nothing if a key with the same hash exists, or if the organisation is being removed. */
	readonly addKey: (key: ApiKey) => Promise<void>;
	/** @returns the changed key; null if there is none with this id. */
	readonly changeKey: (organisation: OrganisationId, id: KeyId, change: KeyChange) => Promise<ApiKey | null>;
	readonly removeKey: (organisation: OrganisationId, id: KeyId) => Promise<boolean>;
}
