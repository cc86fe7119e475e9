/** Refuses a caller whose role does not allow what it asks for. */

import { fail } from "../errors/fail.ts";
import { type Caller, type Role, roles } from "../model/caller.ts";

/** A key bound to containers is no admin, whatever its role says: settings and whole containers are beyond its grants. */
export function demandRole({ role, grants }: Caller, needed: Role): void {
	const held = grants !== null && role === "admin" ? "write" : role;
	if (roles.indexOf(held) < roles.indexOf(needed)) throw fail("ROLE_MISSING", needed);
}
