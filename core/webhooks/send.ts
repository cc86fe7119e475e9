/** One attempt to send a message to a webhook's endpoint, signed as Standard Webhooks requires. */

import { asServiceError } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { SignedMessage } from "../ports/webhook-signer.ts";
import type { Delivery, Webhook } from "./webhook.ts";

export interface Message {
	/** The same for every attempt, so that the receiver can recognise a repeated message. */
	readonly id: string;
	readonly type: string;
	readonly at: Date;
	readonly data: Readonly<Record<string, Json>>;
}

export type SendParts = Pick<Parts, "fetch" | "webhookSigner" | "world">;

/** All statuses other than 2xx. They are reported as the result; redirects are not followed. */
const otherStatuses: readonly number[] = Array.from({ length: 300 }, (_, i) => 300 + i);

const secretLost = "its secret can no longer be decrypted: rotate it";

/** Sends the message once. Rejects only if the signal is aborted. */
export async function send(message: Message, webhook: Webhook, { fetch, webhookSigner, world }: SendParts, signal: AbortSignal): Promise<Delivery> {
	const body = JSON.stringify({ type: message.type, timestamp: message.at.toISOString(), data: message.data });
	const now = world.now();
	const signedMessage = { id: message.id, timestamp: Math.floor(now.getTime() / 1_000), body };
	const signatures = sign(signedMessage, webhook, now, webhookSigner);
	const started = world.elapsedMs();
	const outcome = (status: number | null, error: string | null): Delivery => {
		const { id: messageId, type } = message;
		return { messageId, type, at: now.toISOString(), isDelivered: error === null, status, error, durationMs: Math.round(world.elapsedMs() - started) };
	};
	if (signatures === "") return outcome(null, secretLost);
	try {
		const { status } = await fetch(webhook.url, {
			signal,
			timeoutMs: limits.webhookTimeoutMs,
			bytesMax: limits.webhookResponseBytesMax,
			answers: otherStatuses,
			body: new TextEncoder().encode(body),
			headers: {
				"content-type": "application/json",
				"webhook-id": signedMessage.id,
				"webhook-timestamp": String(signedMessage.timestamp),
				"webhook-signature": signatures,
			},
		});
		return outcome(status, status < 300 ? null : `the endpoint answered with status ${status}`);
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		const { code, message: errorMessage } = asServiceError(thrown);
		return outcome(null, code === "FILE_TOO_LARGE" ? `its answer is longer than ${limits.webhookResponseBytesMax} bytes` : errorMessage);
	}
}

/** A signature with each valid secret. While a secret is being replaced there are two, so receivers can verify with either. */
function sign(message: SignedMessage, { id, secrets }: Webhook, now: Date, signer: SendParts["webhookSigner"]): string {
	const valid = secrets.filter(({ until }) => until === null || Date.parse(until) > now.getTime());
	return valid.flatMap(({ sealed }) => signer.sign(sealed, id, message) ?? []).join(" ");
}
