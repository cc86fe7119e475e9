/** Organisations and their API keys. */

import type { KeyId, OrganisationId } from "../model/id.ts";

export interface ApiKey {
	readonly id: KeyId;
	readonly organisation: OrganisationId;
	readonly name: string;
	/** SHA-256 of the key, hexadecimal: the key itself is never kept. */
	readonly hash: string;
	readonly createdAt: Date;
}

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
	readonly keys: (organisation: OrganisationId) => Promise<readonly ApiKey[]>;
	/** Adding a key whose hash is already known is fine and changes nothing. */
	readonly addKey: (key: ApiKey) => Promise<void>;
	readonly removeKey: (organisation: OrganisationId, id: KeyId) => Promise<boolean>;
}
