/** The stored record of a consent, with the hashes of its code and its tokens. */

import type { Permission } from "./permission.ts";

export const recordKind = "consent";

/** The lifetime of an access token. */
export const accessMs = 15 * 60_000;

export interface Consent extends Permission {
	readonly keyId: string;
	/** The hash of the client's id. */
	readonly client: string;
	/** The name that the client has given itself. Missing in older records. */
	readonly clientName?: string;
	/** Milliseconds since 1970. Missing in older records. */
	readonly givenAt?: number;
	readonly redirectUri: string;
	readonly challenge: string;
	readonly code: string;
	readonly codeUntil: number;
	readonly isCodeUsed: boolean;
	readonly access: string;
	readonly accessUntil: number;
	readonly refresh: string;
}
