/** Sends one webhook its events in order: the next one goes out when the one before has arrived. */

import { eventPayload, matchesEventFilter } from "../events/event-payload.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Parts } from "../parts.ts";
import type { LogEvent } from "../ports/event-log.ts";
import { newJob } from "../runtime/new-job.ts";
import { afterDelivery } from "./after-delivery.ts";
import { type Message, send } from "./send.ts";
import type { Webhook } from "./webhook.ts";
import { webhookStore } from "./webhook-store.ts";

/** Then the job makes way for those of other webhooks, and comes back. */
const eventsPerTurn = 100;

export type DeliverParts = Pick<Parts, "storage" | "fetch" | "webhookSigner" | "world">;

/**
 * The cursor moves only after the endpoint has accepted. After a crash in between, the event is sent once more, with
 * the same id, and loses none.
 */
export async function deliver(id: string, organisation: OrganisationId, parts: DeliverParts, signal: AbortSignal): Promise<void> {
	const { storage, world } = parts;
	const { records, events } = storage.organisation(organisation);
	const store = webhookStore(records, world);
	let webhook = await store.get(id);
	if (!isDue(webhook, world.now())) return comeBack(webhook);
	const batch = await events.after(webhook.cursor, null, eventsPerTurn);
	let sent = webhook.cursor;
	for (const event of batch) {
		signal.throwIfAborted();
		if (matchesEventFilter(event, webhook)) {
			const delivery = await send(messageOf(event, webhook), webhook, parts, signal);
			webhook = await store.amend(id, (known) => afterDelivery(known, delivery, event.sequence, world.now(), world.random()));
			report(webhook);
			if (!isDue(webhook, world.now())) return comeBack(webhook);
		}
		sent = event.sequence;
	}
	if (sent > webhook.cursor) webhook = await store.amend(id, (known) => ({ ...known, cursor: Math.max(known.cursor, sent) }));
	if (batch.length === eventsPerTurn) await comeBack(webhook);

	/** At the next try, or at once when there is more to tell. */
	async function comeBack(left: Webhook | null): Promise<void> {
		if (left?.isEnabled !== true) return;
		const job = newJob("deliver", id, organisation, world);
		await storage.jobs.add(left.trouble === null ? job : { ...job, notBefore: new Date(left.trouble.retryAt) });
	}

	function report(left: Webhook | null): void {
		const [last] = left?.deliveries ?? [];
		if (left === null || last === undefined || last.isDelivered) return;
		const { status, error } = last;
		if (left.isEnabled) world.log("info", "a webhook could not be told", { webhook: id, status, error, retryAt: left.trouble?.retryAt });
		else world.log("warn", "a webhook was disabled", { webhook: id, reason: left.disabledReason });
	}
}

/** Whether it may be sent something now. */
export function isDue(webhook: Webhook | null, now: Date): webhook is Webhook {
	return webhook?.isEnabled === true && (webhook.trouble === null || Date.parse(webhook.trouble.retryAt) <= now.getTime());
}

function messageOf(event: LogEvent, { id }: Webhook): Message {
	return { id: `evt_${id}_${event.sequence}`, type: event.type, at: event.at, data: eventPayload(event) };
}
