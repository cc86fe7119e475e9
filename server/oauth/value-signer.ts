/** Signs JSON values, so that this server can trust them when a client returns them. The signature covers the purpose too. Nothing is stored. */

import { createHmac, timingSafeEqual } from "node:crypto";

export interface ValueSigner {
	/** @returns the value and its signature, both in base64url */
	readonly sign: (purpose: string, value: object) => string;
	/** The signed value; null if this server has not signed it for this purpose. */
	readonly verify: (purpose: string, text: string) => Readonly<Record<string, unknown>> | null;
}

export function createValueSigner(secret: Uint8Array): ValueSigner {
	// Links to files are signed with the same secret, so another key is derived from it here.
	const signingKey = createHmac("sha256", secret).update("oauth").digest();
	const signature = (purpose: string, body: string) => createHmac("sha256", signingKey).update(`${purpose}\n${body}`).digest();
	return {
		sign: (purpose, value) => {
			const body = Buffer.from(JSON.stringify(value)).toString("base64url");
			return `${body}.${signature(purpose, body).toString("base64url")}`;
		},
		verify: (purpose, text) => {
			const [body = "", signatureText = ""] = text.split(".");
			const [actual, expected] = [Buffer.from(signatureText, "base64url"), signature(purpose, body)];
			if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
			return JSON.parse(Buffer.from(body, "base64url").toString());
		},
	};
}
