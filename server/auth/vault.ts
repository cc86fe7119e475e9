/** The vault: encrypts secrets with AES-256-GCM under one key, with the purpose as associated data. */

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Vault } from "../../core/ports/vault.ts";

const cipherName = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

export function createVault(key: Uint8Array): Vault {
	return {
		seal: (text, purpose) => {
			const nonce = randomBytes(nonceBytes);
			const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(purpose));
			const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
			return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64url");
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
