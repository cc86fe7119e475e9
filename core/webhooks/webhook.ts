/** A webhook: where to send which events, up to which event they were sent, and the recent attempts. */

import type { ClientEventType } from "../ports/event-log.ts";

/** As it is kept: JSON, times in ISO 8601. A type and not an interface, since only a type is known to be JSON. */
export type Webhook = {
	readonly id: string;
	readonly url: string;
	readonly description: string | null;
	/** Null means all. */
	readonly types: readonly ClientEventType[] | null;
	/** Null means all. */
	readonly containerTags: readonly string[] | null;
	readonly isEnabled: boolean;
	/** Why it is disabled, when no user disabled it. */
	readonly disabledReason: string | null;
	/** The newest first. All that still hold sign every message. */
	readonly secrets: readonly SealedSecret[];
	/** The sequence up to which everything wanted has been delivered. */
	readonly cursor: number;
	/** Null when the last try went well. */
	readonly trouble: Trouble | null;
	/** The newest first. */
	readonly deliveries: readonly Delivery[];
	readonly createdAt: string;
	readonly updatedAt: string;
};

export type SealedSecret = { readonly sealed: string /** Null for the newest. */; readonly until: string | null };

/** Tries of one message that went wrong, and when the next is due. */
export type Trouble = { readonly tries: number; readonly since: string; readonly retryAt: string };

export type Delivery = {
	/** The `webhook-id` of the message: the same for every try. */
	readonly messageId: string;
	readonly type: string;
	readonly at: string;
	readonly isDelivered: boolean;
	/** What the endpoint answered; null when there was no answer. */
	readonly status: number | null;
	/** What went wrong, in words. */
	readonly error: string | null;
	readonly durationMs: number;
};
