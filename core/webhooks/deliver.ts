/** Sends events to a webhook in order: each one is sent when the endpoint has accepted the one before. */

import { eventPayload, matchesEventFilter } from "../events/event-payload.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Parts } from "../parts.ts";
import type { LogEvent } from "../ports/event-log.ts";
import { dueAt, newJob } from "../runtime/new-job.ts";
import { afterDelivery, retryMsMax } from "./after-delivery.ts";
import { type Message, send } from "./send.ts";
import type { Webhook } from "./webhook.ts";
import { webhookStore } from "./webhook-store.ts";

/** After this many events the job is queued again, so that the jobs of other webhooks run too. */
const eventsPerTurn = 100;

export type DeliverParts = Pick<Parts, "storage" | "fetch" | "webhookSigner" | "world">;

/**
 * The cursor moves only after the endpoint has accepted an event. After a crash in between, the event is sent again with the same id, so
 * no event is lost.
 */
export async function deliver(id: string, organisation: OrganisationId, parts: DeliverParts, signal: AbortSignal): Promise<void> {
	const { storage, world } = parts;
	const { records, events } = storage.organisation(organisation);
	const store = webhookStore(records, world);
	let webhook = await store.get(id);
	if (!isDue(webhook, world.now())) return requeue(webhook);
	const batch = await events.after(webhook.cursor, null, eventsPerTurn);
	let lastSequence = webhook.cursor;
	for (const event of batch) {
		signal.throwIfAborted();
		if (matchesEventFilter(event, webhook)) {
			const delivery = await send(messageOf(event, webhook), webhook, parts, signal);
			webhook = await store.amend(id, (known) => afterDelivery(known, delivery, event.sequence, world.now(), world.random()));
			report(webhook);
			if (!isDue(webhook, world.now())) return requeue(webhook);
		}
		lastSequence = event.sequence;
	}
	if (lastSequence > webhook.cursor) webhook = await store.amend(id, (known) => ({ ...known, cursor: Math.max(known.cursor, lastSequence) }));
	if (batch.length === eventsPerTurn) await requeue(webhook);

	/** Queues the job again: for the time of the next attempt, or at once if there are more events. */
	async function requeue(current: Webhook | null): Promise<void> {
		if (current?.isEnabled !== true) return;
		const job = newJob("deliver", id, organisation, world);
		await storage.jobs.add(current.trouble === null ? job : { ...job, notBefore: dueAt(new Date(current.trouble.retryAt), world) });
	}

	function report(current: Webhook | null): void {
		const [latest] = current?.deliveries ?? [];
		if (current === null || latest === undefined || latest.isDelivered) return;
		const { status, error } = latest;
		if (current.isEnabled) world.log("info", "an event could not be delivered to a webhook", { webhook: id, status, error, retryAt: current.trouble?.retryAt });
		else world.log("warn", "a webhook was disabled", { webhook: id, reason: current.disabledReason });
	}
}

/** Whether events may be sent to it now. A time that is further ahead than any wait was stored when the clock was ahead. */
export function isDue(webhook: Webhook | null, now: Date): webhook is Webhook {
	if (webhook?.isEnabled !== true) return false;
	if (webhook.trouble === null) return true;
	const waitMs = Date.parse(webhook.trouble.retryAt) - now.getTime();
	return waitMs <= 0 || waitMs > retryMsMax(webhook.trouble.tries);
}

function messageOf(event: LogEvent, { id }: Webhook): Message {
	return { id: `evt_${id}_${event.sequence}`, type: event.type, at: event.at, data: eventPayload(event) };
}
