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

export type KeyChange = Partial<Pick<ApiKey, "name" | "isEnabled" | "expiresAt">>;

export interface Organisation {
	readonly id: OrganisationId;
	readonly name: string;
	readonly slug: string;
	readonly createdAt: Date;
}

export interface AccountStore {
	readonly organisations: () => Promise<readonly Organisation[]>;
	readonly addOrganisation: (organisation: Organisation) => Promise<void>;
	readonly keyByHash: (hash: string) => Promise<ApiKey | null>;
	/** All keys, oldest first, including disabled and expired ones. */
	readonly keys: (organisation: OrganisationId) => Promise<readonly ApiKey[]>;
	/** Does nothing if a key with the same hash exists. */
	readonly addKey: (key: ApiKey) => Promise<void>;
	/** @returns the changed key; null if there is none with this id. */
	readonly changeKey: (organisation: OrganisationId, id: KeyId, change: KeyChange) => Promise<ApiKey | null>;
	readonly removeKey: (organisation: OrganisationId, id: KeyId) => Promise<boolean>;
}
