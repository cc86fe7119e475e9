/** Creates the secrets of webhooks and signs their messages, as https://www.standardwebhooks.com specifies. */

import { createHmac, randomBytes } from "node:crypto";
import type { Vault } from "../../core/ports/vault.ts";
import type { WebhookSigner } from "../../core/ports/webhook-signer.ts";

/** The specification allows 24 to 64 bytes. */
const secretBytes = 32;
const prefix = "whsec_";

export function createWebhookSigner(vault: Vault): WebhookSigner {
	const purpose = (webhook: string) => `webhook ${webhook}`;
	return {
		makeSecret: (webhook) => {
			const shown = `${prefix}${randomBytes(secretBytes).toString("base64")}`;
			return { shown, sealed: vault.seal(shown, purpose(webhook)) };
		},
		sign: (sealed, webhook, { id, timestamp, body }) => {
			const secret = vault.open(sealed, purpose(webhook));
			if (secret === null) return null;
			const key = Buffer.from(secret.slice(prefix.length), "base64");
			return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
		},
	};
}
