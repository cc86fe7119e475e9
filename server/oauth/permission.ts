/** What a person allows a client: to read or also to write, in one container or wherever the key may. Never more than the key may. */

import { type Role, roles } from "../../core/model/caller.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";

export interface Permission {
	readonly role: Exclude<Role, "admin">;
	/** Null for all containers of the key. */
	readonly containerTag: string | null;
}

/** Null when the key does not reach that container. */
export function narrowed(key: ApiKey, { role, containerTag }: Permission): ApiKey | null {
	const lesser = roles.indexOf(key.role) < roles.indexOf(role) ? key.role : role;
	if (containerTag === null) return { ...key, role: lesser };
	const held = key.grants === null ? { permission: "write" as const } : key.grants.find((grant) => grant.containerTag === containerTag);
	if (held === undefined) return null;
	const permission = held.permission === "write" && lesser === "write" ? "write" : "read";
	return { ...key, role: lesser, grants: [{ containerTag, permission }] };
}
