/** Seals what has to be kept and used again, such as the secrets of webhooks: a copy of the database alone opens none of it. */

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export interface Vault {
	/** Opens for the same purpose only, so that what was sealed for one thing cannot be put in the place of another. */
	readonly seal: (text: string, purpose: string) => string;
	/** Null when it was sealed with another key, for another purpose, or not at all. */
	readonly open: (sealed: string, purpose: string) => string | null;
}

const cipherName = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

export function createVault(key: Uint8Array): Vault {
	return {
		seal: (text, purpose) => {
			const nonce = randomBytes(nonceBytes);
			const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(purpose));
			const hidden = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
			return Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString("base64url");
		},
		open: (sealed, purpose) => {
			const bytes = Buffer.from(sealed, "base64url");
			const nonce = bytes.subarray(0, nonceBytes);
			const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
			if (tag.length < tagBytes) return null;
			const cipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(purpose)).setAuthTag(tag);
			try {
				return Buffer.concat([cipher.update(bytes.subarray(nonceBytes + tagBytes)), cipher.final()]).toString("utf8");
			} catch {
				return null;
			}
		},
	};
}
