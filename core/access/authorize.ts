/** Opens the tenant store of a caller, limited to its grants and its role, and refuses what its role does not allow. Every request reaches stored data this way. */

import { fail } from "../errors/fail.ts";
import { type Caller, type Role, roles } from "../model/caller.ts";
import type { Storage, TenantStore } from "../ports/storage.ts";
import { readOnlyTenant } from "./read-only-tenant.ts";
import { scopedTenant } from "./scoped-tenant.ts";

export function authorize(storage: Storage, { organisation, role, grants }: Caller): TenantStore {
	const all = storage.organisation(organisation);
	const within = grants === null ? all : scopedTenant(all, grants);
	return role === "read" ? readOnlyTenant(within) : within;
}

/** Refuses a caller whose role does not allow what it asks for. A key bound to containers is no admin, whatever its role says: settings and whole containers are beyond its grants. */
export function demandRole({ role, grants }: Caller, needed: Role): void {
	const held = grants !== null && role === "admin" ? "write" : role;
	if (roles.indexOf(held) < roles.indexOf(needed)) throw fail("ROLE_MISSING", needed);
}
