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

/** Whether a caller may decide about the whole server. While it has one organisation, its admins may. */
export async function isOperator(caller: Caller, { organisationAccounts }: Pick<AccountStore, "organisationAccounts">): Promise<boolean> {
	return hasRole(caller, "operator") || (hasRole(caller, "admin") && (await organisationAccounts()).length <= 1);
}

/** Refuses a caller who may not decide about the whole server. */
export async function demandOperator(caller: Caller, accounts: Pick<AccountStore, "organisationAccounts">): Promise<void> {
	demandRole(caller, "admin");
	if (!(await isOperator(caller, accounts))) throw fail("ROLE_MISSING", "operator");
}

/** Refuses a caller whose role does not allow what it asks for. */
export function demandRole(caller: Caller, needed: Role): void {
	if (!hasRole(caller, needed)) throw fail("ROLE_MISSING", needed);
}

/** A key that is limited to containers never counts as an admin, because settings and whole containers are outside its grants. */
function hasRole({ role, grants }: Caller, needed: Role): boolean {
	const effectiveRole = grants !== null && isAdminRole(role) ? "write" : role;
	return roles.indexOf(effectiveRole) >= roles.indexOf(needed);
}
