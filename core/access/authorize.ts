/** The stores of an organisation as one caller may use them: the only way from a request to what is kept. */

import type { Caller } from "../model/caller.ts";
import type { Storage, TenantStore } from "../ports/storage.ts";
import { readOnlyTenant } from "./read-only-tenant.ts";
import { scopedTenant } from "./scoped-tenant.ts";

export function authorize(storage: Storage, { organisation, role, grants }: Caller): TenantStore {
	const all = storage.organisation(organisation);
	const within = grants === null ? all : scopedTenant(all, grants);
	return role === "read" ? readOnlyTenant(within) : within;
}
