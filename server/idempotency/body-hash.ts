/**
 * SHA-256 of a streamed body. The boundary of a multipart form is left out, because a client that repeats a request chooses another
 * boundary. The hash does not depend on how the body is split into pieces.
 */

import { createHash } from "node:crypto";

export interface BodyHash {
	readonly update: (piece: Uint8Array) => void;
	/** Must be called once, at the end. */
	readonly digest: () => string;
}

export function createBodyHash(contentType: string | null): BodyHash {
	const hash = createHash("sha256");
	const digest = () => hash.digest("hex");
	const boundary = /^multipart\/.*;\s*boundary="?([^";]+)"?/i.exec(contentType ?? "")?.[1];
	if (boundary === undefined) return { update: (piece) => void hash.update(piece), digest };
	const boundaryBytes = Buffer.from(boundary);
	// The last bytes of the previous piece, which may be the beginning of a boundary.
	let pending = Buffer.alloc(0);
	return {
		update: (piece) => {
			let rest = Buffer.concat([pending, piece]);
			for (let position = rest.indexOf(boundaryBytes); position !== -1; position = rest.indexOf(boundaryBytes)) {
				hash.update(rest.subarray(0, position));
				rest = rest.subarray(position + boundaryBytes.length);
			}
			const end = Math.max(0, rest.length - (boundaryBytes.length - 1));
			hash.update(rest.subarray(0, end));
			pending = rest.subarray(end);
		},
		digest: () => {
			hash.update(pending);
			return digest();
		},
	};
}
