/** Headers of every answer: an id for the log, and no permission for browsers to guess types or to cache. */

import type { RandomBytes } from "../../../core/model/id.ts";

export const requestIdHeader = "x-request-id";

/** A route's own headers win over these. */
export function standardHeaders(randomBytes: RandomBytes): Readonly<Record<string, string>> {
	return {
		[requestIdHeader]: Buffer.from(randomBytes(9)).toString("base64url"),
		"x-content-type-options": "nosniff",
		"cache-control": "no-store",
	};
}
