/** Who may do what: roles in their order, and keys with grants. */

import { expect, test } from "bun:test";
import { demandRole } from "../../../core/access/authorize.ts";
import { type Caller, type Role, roles } from "../../../core/model/caller.ts";
import { asId, type OrganisationId } from "../../../core/model/id.ts";

const caller = (role: Role, grants: Caller["grants"] = null): Caller => ({ organisation: asId<OrganisationId>("o"), role, grants });

test("each role may do what those before it may, and nothing more", () => {
	for (const [at, role] of roles.entries()) {
		for (const [needs, needed] of roles.entries()) {
			const demand = () => demandRole(caller(role), needed);
			if (needs <= at) expect(demand).not.toThrow();
			else expect(demand).toThrow(`this needs a key with the role ${needed}`);
		}
	}
});

test("a key bound to containers is never an admin", () => {
	const bound = caller("admin", [{ containerTag: "a", permission: "write" }]);
	expect(() => demandRole(bound, "admin")).toThrow("this needs a key with the role admin");
	expect(() => demandRole(bound, "write")).not.toThrow();
});
