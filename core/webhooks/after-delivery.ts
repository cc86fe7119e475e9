/** The state of a webhook after an attempt: delivered, waiting for a retry, or given up. */

import { limits } from "../model/limits.ts";
import type { Delivery, Webhook } from "./webhook.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What Standard Webhooks recommends: ten tries within a little more than three days. */
const retryAfterMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const;

/** The delay varies randomly by this share, so that webhooks that failed together are not retried together. */
const jitter = 0.1;

/** The longest that a webhook waits after `tries` failed tries. */
export function retryMsMax(tries: number): number {
	return (retryAfterMs[tries - 1] ?? 0) * (1 + jitter);
}

/** The HTTP status with which an endpoint states that it is permanently gone. */
const goneStatus = 410;

/** The webhook after an attempt to deliver the event with this sequence. @param random a random number from 0 to less than 1 */
export function afterDelivery(webhook: Webhook, delivery: Delivery, sequence: number, now: Date, random: number): Webhook {
	const withAttempt = withDelivery(webhook, delivery);
	if (delivery.isDelivered) return { ...withAttempt, cursor: Math.max(webhook.cursor, sequence), trouble: null };
	if (delivery.status === goneStatus) return disabled(withAttempt, "the endpoint answered that it is gone (410)", now);
	const tries = (webhook.trouble?.tries ?? 0) + 1;
	const delay = retryAfterMs[tries - 1];
	const since = webhook.trouble?.since ?? now.toISOString();
	if (delay === undefined) return disabled(withAttempt, `${tries} tries since ${since} failed; the last time ${delivery.error ?? "there was no answer"}`, now);
	const retryAt = new Date(now.getTime() + delay * (1 + jitter * (2 * random - 1)));
	return { ...withAttempt, trouble: { tries, since, retryAt: retryAt.toISOString() } };
}

export function withDelivery(webhook: Webhook, delivery: Delivery): Webhook {
	return { ...webhook, deliveries: [delivery, ...webhook.deliveries].slice(0, limits.webhookDeliveriesReturnedMax) };
}

function disabled(webhook: Webhook, reason: string, now: Date): Webhook {
	return { ...webhook, isEnabled: false, disabledReason: reason, trouble: null, updatedAt: now.toISOString() };
}
