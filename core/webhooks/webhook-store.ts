/** The webhooks of an organisation, stored as records. Deliveries and administrators write the same record, so each change is applied to its current state. */

import { fail } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { RecordStore, StoredRecord } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import type { Webhook } from "./webhook.ts";

export interface WebhookStore {
	readonly get: (id: string) => Promise<Webhook | null>;
	readonly list: () => Promise<readonly Webhook[]>;
	readonly add: (webhook: Webhook) => Promise<void>;
	/** @returns the webhook as it now is; null when it is no longer there. */
	readonly amend: (id: string, change: (webhook: Webhook) => Webhook) => Promise<Webhook | null>;
	readonly remove: (id: string) => Promise<boolean>;
}

/** After a lost race the record is read again. So many losses in a row do not happen: a webhook has one delivery at a time. */
const looksMax = 20;

export function webhookStore(records: RecordStore, world: Pick<World, "now">): WebhookStore {
	const kept = (id: string) => records.get("webhook", id, world.now());
	const put = (webhook: Webhook, expected: number) => records.put("webhook", webhook.id, webhook, { expected, expiresAt: null, now: world.now() });
	return {
		get: async (id) => asWebhook(await kept(id)),
		list: async () => (await records.list("webhook", null, limits.webhooksMax, world.now())).flatMap((one) => asWebhook(one) ?? []),
		add: async (webhook) => {
			await put(webhook, 0);
		},
		amend: async (id, change) => {
			for (let look = 0; look < looksMax; look++) {
				const found = await kept(id);
				const webhook = asWebhook(found);
				if (found === null || webhook === null) return null;
				const changed = change(webhook);
				if ((await put(changed, found.version)) !== null) return changed;
			}
			throw fail("WEBHOOK_CONTESTED");
		},
		remove: (id) => records.remove("webhook", id),
	};
}

/** Only this store writes records of this kind. */
function asWebhook(found: StoredRecord | null): Webhook | null {
	return found === null ? null : (found.value as Webhook);
}
