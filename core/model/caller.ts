/** Who sends a request: an organisation, a role, and the grants of the key. */

import type { OrganisationId } from "./id.ts";

export interface Caller {
	readonly organisation: OrganisationId;
	readonly role: Role;
	/** Null when the key may use the whole organisation. */
	readonly grants: Grants | null;
	/** Of the key that was sent. */
	readonly id?: string;
}

/** A caller with the id of its key, for the log of administrative acts. */
export interface KeyBearer extends Caller {
	readonly id: string;
}

/** Each may do what those before it may. Only an admin changes settings, keys and whole containers; a key with grants is never one. */
export const roles = ["read", "write", "admin"] as const;
export type Role = (typeof roles)[number];

/** The containers a key may use, at least one. It sees nothing of the others. */
export type Grants = readonly Grant[];

export interface Grant {
	readonly containerTag: string;
	/** Permission to write includes permission to read. */
	readonly permission: Exclude<Role, "admin">;
}
