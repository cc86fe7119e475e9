/** What a person allows a client: to read, or to read and write, in one container or in all of the key's. It never exceeds the rights of the key. */

import { type LimitedRole, roles } from "../../core/model/caller.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";

export interface Permission {
	readonly role: LimitedRole;
	/** Null for all containers of the key. */
	readonly containerTag: string | null;
}

/** The key, limited to the permission; null if the key has no access to the container. */
export function limitKey(key: ApiKey, { role, containerTag }: Permission): ApiKey | null {
	const effectiveRole = roles.indexOf(key.role) < roles.indexOf(role) ? key.role : role;
	if (containerTag === null) return { ...key, role: effectiveRole };
	const held = key.grants === null ? { permission: "write" as const } : key.grants.find((grant) => grant.containerTag === containerTag);
	if (held === undefined) return null;
	const permission = held.permission === "write" && effectiveRole === "write" ? "write" : "read";
	return { ...key, role: effectiveRole, grants: [{ containerTag, permission }] };
}
