/** A webhook: its URL, which events are sent to it, the last event that was sent, and the recent attempts. */

import type { ClientEventType } from "../ports/event-log.ts";

/** A webhook as it is stored: JSON, with times in ISO 8601. It is a type and not an interface, since only types are assignable to `Json`. */
export type Webhook = {
	readonly id: string;
	readonly url: string;
	readonly description: string | null;
	/** Null means all. */
	readonly types: readonly ClientEventType[] | null;
	/** Null means all. */
	readonly containerTags: readonly string[] | null;
	readonly isEnabled: boolean;
	/** Why it was disabled automatically; null otherwise. */
	readonly disabledReason: string | null;
	/** Newest first. Every message is signed with all that are still valid. */
	readonly secrets: readonly SealedSecret[];
	/** The sequence up to which all matching events were delivered. */
	readonly cursor: number;
	/** Null if the last attempt succeeded. */
	readonly trouble: Trouble | null;
	/** The newest first. */
	readonly deliveries: readonly Delivery[];
	readonly createdAt: string;
	readonly updatedAt: string;
};

export type SealedSecret = { readonly sealed: string /** Null for the newest. */; readonly until: string | null };

/** The number of failed attempts to send a message, when the first was made, and when the next one is due. */
export type Trouble = { readonly tries: number; readonly since: string; readonly retryAt: string };

export type Delivery = {
	/** The `webhook-id` of the message: the same for every attempt. */
	readonly messageId: string;
	readonly type: string;
	readonly at: string;
	readonly isDelivered: boolean;
	/** The HTTP status of the response; null if there was none. */
	readonly status: number | null;
	/** An error message; null if it was delivered. */
	readonly error: string | null;
	readonly durationMs: number;
};
