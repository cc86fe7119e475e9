/** The webhook service of the server. It is for admins only, since a webhook sends events to the outside. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import type { EventFilter } from "../events/event-payload.ts";
import type { KeyBearer } from "../model/caller.ts";
import { newId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { AuditEventType, LogEvent } from "../ports/event-log.ts";
import { withDelivery } from "./after-delivery.ts";
import { send } from "./send.ts";
import type { Delivery, Webhook } from "./webhook.ts";
import { webhookStore } from "./webhook-store.ts";

export interface NewWebhook extends EventFilter {
	readonly url: string;
	readonly description: string | null;
}

export type WebhookChange = Partial<NewWebhook & Pick<Webhook, "isEnabled">>;

/** A webhook with its secret in plain text, which is returned only this once. */
export interface WebhookWithSecret {
	readonly webhook: Webhook;
	readonly secret: string;
}

export interface WebhookService {
	readonly create: (caller: KeyBearer, webhook: NewWebhook) => Promise<WebhookWithSecret>;
	readonly list: (caller: KeyBearer) => Promise<readonly Webhook[]>;
	/** Throws `WEBHOOK_MISSING`, like all methods below. */
	readonly get: (caller: KeyBearer, id: string) => Promise<Webhook>;
	readonly change: (caller: KeyBearer, id: string, change: WebhookChange) => Promise<Webhook>;
	readonly remove: (caller: KeyBearer, id: string) => Promise<void>;
	/** Replaces the secret. The old one is used for signing, in addition to the new one, for a day. */
	readonly rotate: (caller: KeyBearer, id: string) => Promise<WebhookWithSecret>;
	/** Sends a test message once, even if the webhook is disabled. */
	readonly test: (caller: KeyBearer, id: string, signal: AbortSignal) => Promise<Delivery>;
}

type ServiceParts = Pick<Parts, "storage" | "world" | "fetch" | "demandReachable" | "webhookSigner">;

export function createWebhookService(parts: ServiceParts): WebhookService {
	const { storage, world, webhookSigner, demandReachable } = parts;

	function open(caller: KeyBearer) {
		const tenant = authorize(storage, caller);
		const log = (type: AuditEventType, subject: string, facts: LogEvent["facts"] = {}) =>
			tenant.events.append({ type, at: world.now(), subject, containerTags: [], facts: { by: caller.id, ...facts } });
		return { tenant, log, store: webhookStore(tenant.records, world) };
	}

	async function amend(caller: KeyBearer, id: string, change: (webhook: Webhook) => Webhook): Promise<Webhook> {
		const changed = await open(caller).store.amend(id, (webhook) => ({ ...change(webhook), updatedAt: world.now().toISOString() }));
		if (changed === null) throw fail("WEBHOOK_MISSING");
		return changed;
	}

	const get: WebhookService["get"] = async (caller, id) => {
		const webhook = await open(caller).store.get(id);
		if (webhook === null) throw fail("WEBHOOK_MISSING");
		return webhook;
	};

	return {
		get,
		list: async (caller) => (await open(caller).store.list()).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt)),
		create: async (caller, newWebhook) => {
			const { tenant, store, log } = open(caller);
			if ((await store.list()).length >= limits.webhooksMax) throw fail("WEBHOOKS_TOO_MANY", limits.webhooksMax);
			await demandReachable(newWebhook.url);
			const id: string = newId(world.randomBytes);
			const { shown, sealed } = webhookSigner.makeSecret(id);
			const now = world.now().toISOString();
			const webhook: Webhook = {
				...newWebhook,
				id,
				isEnabled: true,
				disabledReason: null,
				secrets: [{ sealed, until: null }],
				cursor: await tenant.events.latest(),
				trouble: null,
				deliveries: [],
				createdAt: now,
				updatedAt: now,
			};
			await store.add(webhook);
			await log("webhook.created", id);
			return { webhook, secret: shown };
		},
		change: async (caller, id, change) => {
			await get(caller, id);
			if (change.url !== undefined) await demandReachable(change.url);
			const webhook = await amend(caller, id, (known) => ({ ...known, ...change, ...resetAfterChange(known, change) }));
			await open(caller).log("webhook.changed", id, { changed: Object.keys(change) });
			return webhook;
		},
		remove: async (caller, id) => {
			const { store, log } = open(caller);
			if (!(await store.remove(id))) throw fail("WEBHOOK_MISSING");
			await log("webhook.deleted", id);
		},
		rotate: async (caller, id) => {
			const { shown, sealed } = webhookSigner.makeSecret(id);
			const until = new Date(world.now().getTime() + limits.webhookSecretOverlapMs).toISOString();
			const webhook = await amend(caller, id, (known) => ({ ...known, secrets: rotateSecrets(known, sealed, until) }));
			await open(caller).log("webhook.changed", id, { changed: ["secret"] });
			return { webhook, secret: shown };
		},
		test: async (caller, id, signal) => {
			const webhook = await get(caller, id);
			const message = { id: `test_${newId(world.randomBytes)}`, type: "webhook.test", at: world.now(), data: { webhookId: id } };
			const delivery = await send(message, webhook, parts, signal);
			await open(caller).store.amend(id, (known) => withDelivery(known, delivery));
			return delivery;
		},
	};
}

/** If a user enables it or changes its URL, the failures are reset, so that the next attempt is made at once. */
function resetAfterChange({ url }: Webhook, change: WebhookChange): Partial<Webhook> {
	const isReset = change.isEnabled !== undefined || (change.url !== undefined && change.url !== url);
	return isReset ? { trouble: null, ...(change.isEnabled === undefined ? {} : { disabledReason: null }) } : {};
}

/** Only the newest of the old secrets is kept: a user who rotates twice within a day wants the older one to be invalid. */
function rotateSecrets({ secrets }: Webhook, sealed: string, until: string): Webhook["secrets"] {
	const [previous] = secrets;
	return [{ sealed, until: null }, ...(previous === undefined ? [] : [{ sealed: previous.sealed, until }])];
}
