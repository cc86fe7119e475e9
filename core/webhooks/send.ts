/** One attempt to send a message to a webhook's endpoint, signed as Standard Webhooks requires. */

import { asServiceError } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { SignedMessage } from "../ports/webhook-signer.ts";
import type { Delivery, Webhook } from "./webhook.ts";

export interface Message {
	/** The same for every try, so that the receiver can tell a repetition. */
	readonly id: string;
	readonly type: string;
	readonly at: Date;
	readonly data: Readonly<Record<string, Json>>;
}

export type SendParts = Pick<Parts, "fetch" | "webhookSigner" | "world">;

/** An answer other than 2xx is reported as it is; redirects are not followed. */
const otherAnswers: readonly number[] = Array.from({ length: 300 }, (_, i) => 300 + i);

const secretLost = "its secret can no longer be opened: rotate it";

/** Rejects only when the signal is aborted. */
export async function send(message: Message, webhook: Webhook, { fetch, webhookSigner, world }: SendParts, signal: AbortSignal): Promise<Delivery> {
	const body = JSON.stringify({ type: message.type, timestamp: message.at.toISOString(), data: message.data });
	const now = world.now();
	const signed = { id: message.id, timestamp: Math.floor(now.getTime() / 1_000), body };
	const signatures = sign(signed, webhook, now, webhookSigner);
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
			answers: otherAnswers,
			body: new TextEncoder().encode(body),
			headers: {
				"content-type": "application/json",
				"webhook-id": signed.id,
				"webhook-timestamp": String(signed.timestamp),
				"webhook-signature": signatures,
			},
		});
		return outcome(status, status < 300 ? null : `the endpoint answered with status ${status}`);
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		const { code, message: why } = asServiceError(thrown);
		return outcome(null, code === "FILE_TOO_LARGE" ? `its answer is longer than ${limits.webhookResponseBytesMax} bytes` : why);
	}
}

/** One for each secret that holds: while one takes the place of another, receivers with either can verify. */
function sign(message: SignedMessage, { id, secrets }: Webhook, now: Date, signer: SendParts["webhookSigner"]): string {
	const valid = secrets.filter(({ until }) => until === null || Date.parse(until) > now.getTime());
	return valid.flatMap(({ sealed }) => signer.sign(sealed, id, message) ?? []).join(" ");
}
