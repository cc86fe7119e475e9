/** The access rules of a route. They are declared with the route, and enforced by `server/auth/enforce.ts`. */

import type { Role } from "../../core/model/caller.ts";

export interface Access {
	/** Who may call: requests with a key, requests with a signed link, or all. */
	readonly auth: "key" | "link" | "none";
	/** The least role that the key needs; `any` is open even to a key that is bound to other endpoints. */
	readonly scope: Role | "any";
	/** Whether a repeated call is safe `always`, since it changes nothing, or with an `Idempotency-Key`. */
	readonly idempotent: "always" | "by-key";
	/** Where secrets occur: they are never logged, and responses with secrets are never stored. */
	readonly secret: "none" | "body" | "answer";
	/** Access tokens are taken in place of a key, where clients sign in by OAuth. */
	readonly takesTokens?: true;
	/** The bucket that a call is counted in. */
	readonly rate: "key" | "none";
}

export const open = { auth: "none", scope: "any", idempotent: "always", secret: "none", rate: "none" } as const satisfies Access;
export const reads = { auth: "key", scope: "read", idempotent: "always", secret: "none", rate: "key" } as const satisfies Access;
export const writes = { ...reads, scope: "write", idempotent: "by-key" } as const satisfies Access;
export const administers = { ...writes, scope: "admin" } as const satisfies Access;
/** Reads what concerns administrators alone. */
export const oversees = { ...reads, scope: "admin" } as const satisfies Access;
/** Writes, unless it is a dry run, which every reader may make: the service behind it asks for the role. */
export const rehearses = { ...writes, scope: "read" } as const satisfies Access;
