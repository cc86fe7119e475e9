/** Headers of every answer: a name to find it by in the log, and no invitation to a browser to guess or to keep. */

import type { RandomBytes } from "../../core/model/id.ts";

export const requestIdHeader = "x-request-id";

/** A route's own headers win over these. */
export function standardHeaders(randomBytes: RandomBytes): Readonly<Record<string, string>> {
	return {
		[requestIdHeader]: Buffer.from(randomBytes(9)).toString("base64url"),
		"x-content-type-options": "nosniff",
		"cache-control": "no-store",
	};
}
