/** Signed links, which work without an API key: they contain an expiry time, and a signature over that time and the subject. */

import { createHmac, timingSafeEqual } from "node:crypto";

export interface SignedLinks {
	/** The query of a link: `expires=…&signature=…`. */
	readonly sign: (subject: string, expires: Date) => string;
	/** Whether the query is a valid, unexpired signature for this subject. */
	readonly isValid: (subject: string, query: URLSearchParams, now: Date) => boolean;
}

export function createSignedLinks(secret: Uint8Array): SignedLinks {
	const signature = (subject: string, expires: number) => createHmac("sha256", secret).update(`${expires}\n${subject}`).digest("base64url");
	return {
		sign: (subject, expires) => {
			const seconds = Math.floor(expires.getTime() / 1_000);
			return `expires=${seconds}&signature=${signature(subject, seconds)}`;
		},
		isValid: (subject, query, now) => {
			const expires = Number(query.get("expires"));
			const actual = Buffer.from(query.get("signature") ?? "");
			const expected = Buffer.from(signature(subject, expires));
			return actual.length === expected.length && timingSafeEqual(actual, expected) && now.getTime() < expires * 1_000;
		},
	};
}
