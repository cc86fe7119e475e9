/** The webhooks of an organisation, stored as records. Deliveries and admins write the same record, so each change is applied to its current state. */

import { fail } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { RecordStore, StoredRecord } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import type { Webhook } from "./webhook.ts";

export interface WebhookStore {
	readonly get: (id: string) => Promise<Webhook | null>;
	readonly list: () => Promise<readonly Webhook[]>;
	readonly add: (webhook: Webhook) => Promise<void>;
	/** @returns the changed webhook; null if it does not exist any more. */
	readonly amend: (id: string, change: (webhook: Webhook) => Webhook) => Promise<Webhook | null>;
	readonly remove: (id: string) => Promise<boolean>;
}

/** If the record was changed between reading and writing, both are repeated. Conflicts are rare, since a webhook has one delivery at a time. */
const attemptsMax = 20;

export function webhookStore(records: RecordStore, world: Pick<World, "now">): WebhookStore {
	const readRecord = (id: string) => records.get("webhook", id, world.now());
	const put = (webhook: Webhook, expected: number) => records.put("webhook", webhook.id, webhook, { expected, expiresAt: null, now: world.now() });
	return {
		get: async (id) => asWebhook(await readRecord(id)),
		list: async () => (await records.list("webhook", null, limits.webhooksMax, world.now())).flatMap((one) => asWebhook(one) ?? []),
		add: async (webhook) => {
			await put(webhook, 0);
		},
		amend: async (id, change) => {
			for (let attempt = 0; attempt < attemptsMax; attempt++) {
				const record = await readRecord(id);
				const webhook = asWebhook(record);
				if (record === null || webhook === null) return null;
				const changed = change(webhook);
				if ((await put(changed, record.version)) !== null) return changed;
			}
			throw fail("WEBHOOK_CONTESTED");
		},
		remove: (id) => records.remove("webhook", id),
	};
}

/** The value is not checked, since only this store writes records of this kind. */
function asWebhook(record: StoredRecord | null): Webhook | null {
	return record === null ? null : (record.value as Webhook);
}
