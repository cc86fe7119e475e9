/** Opens the tenant store of a caller, limited to its grants and its role. Every request reaches stored data this way. */

import type { Caller } from "../model/caller.ts";
import type { Storage, TenantStore } from "../ports/storage.ts";
import { readOnlyTenant } from "./read-only-tenant.ts";
import { scopedTenant } from "./scoped-tenant.ts";

export function authorize(storage: Storage, { organisation, role, grants }: Caller): TenantStore {
	const all = storage.organisation(organisation);
	const within = grants === null ? all : scopedTenant(all, grants);
	return role === "read" ? readOnlyTenant(within) : within;
}
