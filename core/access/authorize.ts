/** Opens the tenant store of a caller, limited to its grants and its role, and refuses what its role does not allow. Every request reaches stored data this way. */

import { fail } from "../errors/fail.ts";
import { type Caller, isAdminRole, type Role, roles } from "../model/caller.ts";
import type { AccountStore } from "../ports/account-store.ts";
import type { Storage, TenantStore } from "../ports/storage.ts";
import { readOnlyTenant } from "./read-only-tenant.ts";
import { scopedTenant } from "./scoped-tenant.ts";

export function authorize(storage: Storage, { organisation, role, grants }: Caller): TenantStore {
	const tenant = storage.organisation(organisation);
	const scoped = grants === null ? tenant : scopedTenant(tenant, grants);
	return role === "read" ? readOnlyTenant(scoped) : scoped;
}

/** Refuses a caller who may not decide about the whole server. While it has one organisation, its admins may. */
export async function demandOperator(caller: Caller, { organisationAccounts }: Pick<AccountStore, "organisationAccounts">): Promise<void> {
	demandRole(caller, "admin");
	if (caller.role !== "operator" && (await organisationAccounts()).length > 1) throw fail("ROLE_MISSING", "operator");
}

/** Refuses a caller whose role does not allow what it asks for. A key that is limited to containers never counts as an admin, because settings and whole containers are outside its grants. */
export function demandRole({ role, grants }: Caller, needed: Role): void {
	const effectiveRole = grants !== null && isAdminRole(role) ? "write" : role;
	if (roles.indexOf(effectiveRole) < roles.indexOf(needed)) throw fail("ROLE_MISSING", needed);
}
