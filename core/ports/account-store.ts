/** Organisations and their API keys. */

import type { Caller } from "../model/caller.ts";
import type { KeyId, OrganisationId } from "../model/id.ts";

/** A key determines the caller: its organisation and its rights. */
export interface ApiKey extends Caller {
	readonly id: KeyId;
	readonly organisation: OrganisationId;
	readonly name: string;
	/** SHA-256 of the key, hexadecimal: the key itself is never kept. */
	readonly hash: string;
	/** Paths it may call, each with what lies below; null means all. */
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
	/** Oldest first, disabled and expired ones too. */
	readonly keys: (organisation: OrganisationId) => Promise<readonly ApiKey[]>;
	/** Adding a key whose hash is already known is fine and changes nothing. */
	readonly addKey: (key: ApiKey) => Promise<void>;
	/** @returns the key as it now is; null when there is none. */
	readonly changeKey: (organisation: OrganisationId, id: KeyId, change: KeyChange) => Promise<ApiKey | null>;
	readonly removeKey: (organisation: OrganisationId, id: KeyId) => Promise<boolean>;
}
