/**
 * SHA-256 of a body as it streams by. The boundary of a multipart form is left out: a client that sends the same form again
 * makes up another. Where the pieces begin and end does not matter.
 */

import { createHash } from "node:crypto";

export interface BodyHash {
	readonly update: (piece: Uint8Array) => void;
	/** Once, at the end. */
	readonly digest: () => string;
}

export function createBodyHash(contentType: string | null): BodyHash {
	const hash = createHash("sha256");
	const digest = () => hash.digest("hex");
	const boundary = /^multipart\/.*;\s*boundary="?([^";]+)"?/i.exec(contentType ?? "")?.[1];
	if (boundary === undefined) return { update: (piece) => void hash.update(piece), digest };
	const mark = Buffer.from(boundary);
	// The beginning of a boundary whose end has not come yet.
	let held = Buffer.alloc(0);
	return {
		update: (piece) => {
			let rest = Buffer.concat([held, piece]);
			for (let at = rest.indexOf(mark); at !== -1; at = rest.indexOf(mark)) {
				hash.update(rest.subarray(0, at));
				rest = rest.subarray(at + mark.length);
			}
			const end = Math.max(0, rest.length - (mark.length - 1));
			hash.update(rest.subarray(0, end));
			held = rest.subarray(end);
		},
		digest: () => {
			hash.update(held);
			return digest();
		},
	};
}
