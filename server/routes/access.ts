/** The access rules of a route. They are declared with the route, and enforced by `server/auth/enforce.ts`. */

import type { Role } from "../../core/model/caller.ts";

export interface Access {
	/** Who may call: requests with a key, requests with a signed link, or all. */
	readonly auth: "key" | "link" | "none";
	/** The minimum role of the key; `any` also admits a key that is limited to other endpoints. */
	readonly scope: Role | "any";
	/** Whether repeating a call is safe `always`, because it changes nothing, or only with an `Idempotency-Key`. */
	readonly idempotent: "always" | "by-key";
	/** Whether the request body or the response (`answer`) contains secrets. Secrets are never logged, and responses with secrets are never stored. */
	readonly secret: "none" | "body" | "answer";
	/** The route also accepts an OAuth access token instead of a key. */
	readonly takesTokens?: true;
	/** Whether a call counts for the rate limit of its key. */
	readonly rate: "key" | "none";
}

export const publicAccess = { auth: "none", scope: "any", idempotent: "always", secret: "none", rate: "none" } as const satisfies Access;
export const readAccess = { auth: "key", scope: "read", idempotent: "always", secret: "none", rate: "key" } as const satisfies Access;
export const writeAccess = { ...readAccess, scope: "write", idempotent: "by-key" } as const satisfies Access;
export const adminAccess = { ...writeAccess, scope: "admin" } as const satisfies Access;
/** Access for routes that read what only administrators may see. */
export const adminReadAccess = { ...readAccess, scope: "admin" } as const satisfies Access;
/** Access for routes about the whole server and its organisations. While there is one organisation, its admins may call them. */
export const operatorAccess = { ...writeAccess, scope: "operator" } as const satisfies Access;
export const operatorReadAccess = { ...readAccess, scope: "operator" } as const satisfies Access;
/** Access for routes with a dry run, which only needs the role `read`. The service checks the role for real writes. */
export const dryRunAccess = { ...writeAccess, scope: "read" } as const satisfies Access;
