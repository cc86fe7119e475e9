/** Values that only this server can have written: JSON with a signature over it and over what it is for. Nothing of them is stored. */

import { createHmac, timingSafeEqual } from "node:crypto";

export interface Seal {
	readonly seal: (purpose: string, value: object) => string;
	/** Null for what this server has not written for this purpose. */
	readonly open: (purpose: string, text: string) => Readonly<Record<string, unknown>> | null;
}

export function createSeal(secret: Uint8Array): Seal {
	// The secret signs links to files as well.
	const own = createHmac("sha256", secret).update("oauth").digest();
	const signature = (purpose: string, body: string) => createHmac("sha256", own).update(`${purpose}\n${body}`).digest();
	return {
		seal: (purpose, value) => {
			const body = Buffer.from(JSON.stringify(value)).toString("base64url");
			return `${body}.${signature(purpose, body).toString("base64url")}`;
		},
		open: (purpose, text) => {
			const [body = "", signed = ""] = text.split(".");
			const [given, wanted] = [Buffer.from(signed, "base64url"), signature(purpose, body)];
			if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
			return JSON.parse(Buffer.from(body, "base64url").toString());
		},
	};
}
