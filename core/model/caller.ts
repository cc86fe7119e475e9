/** Who sends a request: an organisation, a role, and the grants of the key. */

import type { OrganisationId } from "./id.ts";

export interface Caller {
	readonly organisation: OrganisationId;
	readonly role: Role;
	/** Null if the key may use the whole organisation. */
	readonly grants: Grants | null;
	/** The id of the key that was sent; absent if the caller has no key. */
	readonly id?: string;
}

/** A caller that certainly has a key. Its id is written to the audit log. */
export interface KeyBearer extends Caller {
	readonly id: string;
}

/**
 * Each role includes the rights of the ones before it. Only an admin changes settings, keys and whole containers. An operator also decides
 * about the whole server and its organisations. A key with grants is neither.
 */
export const roles = ["read", "write", "admin", "operator"] as const;
export type Role = (typeof roles)[number];
/** Roles of a key that may be limited to containers. */
export type LimitedRole = Exclude<Role, "admin" | "operator">;

export function isAdminRole(role: Role): boolean {
	return role === "admin" || role === "operator";
}

/** The containers that a key may use, at least one. It cannot see the others. */
export type Grants = readonly Grant[];

export interface Grant {
	readonly containerTag: string;
	/** Permission to write includes permission to read. */
	readonly permission: LimitedRole;
}
