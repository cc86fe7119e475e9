/** Webhooks in responses. A secret is returned only once, when it is created. */

import { Type } from "@sinclair/typebox";
import { clientEventTypes } from "../../../../core/ports/event-log.ts";
import type { Delivery, Webhook } from "../../../../core/webhooks/webhook.ts";
import type { WebhookWithSecret } from "../../../../core/webhooks/webhook-service.ts";

const instant = Type.String({ format: "date-time" });
const textOrNull = (description?: string) => Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description });

const webhookFields = {
	id: Type.String(),
	url: Type.String(),
	description: textOrNull(),
	types: Type.Union([Type.Array(Type.Union(clientEventTypes.map((name) => Type.Literal(name)))), Type.Null()], { description: "Null means all." }),
	containerTags: Type.Union([Type.Array(Type.String()), Type.Null()], { description: "Null means all." }),
	isEnabled: Type.Boolean(),
	disabledReason: textOrNull("Why the server has disabled it; null if it has not."),
	failingSince: Type.Union([instant, Type.Null()]),
	nextTryAt: Type.Union([instant, Type.Null()]),
	createdAt: instant,
	updatedAt: instant,
};

export const webhookSchema = Type.Object(webhookFields, { $id: "Webhook" });

export const newWebhookSchema = Type.Object(
	{
		...webhookFields,
		secret: Type.String({ description: "The key of the signature of every message. Keep it: it is not returned again.", examples: ["whsec_…"] }),
	},
	{ $id: "WebhookWithSecret" },
);

export const webhooksSchema = Type.Object({ webhooks: Type.Array(Type.Ref("Webhook")) }, { $id: "Webhooks" });

export const deliverySchema = Type.Object(
	{
		messageId: Type.String({ description: "The header `webhook-id`; the same for every attempt." }),
		type: Type.String(),
		at: instant,
		isDelivered: Type.Boolean(),
		status: Type.Union([Type.Integer(), Type.Null()], { description: "The HTTP status of the endpoint's response; null when there was none." }),
		error: textOrNull("What went wrong."),
		durationMs: Type.Integer(),
	},
	{ $id: "Delivery" },
);

export const deliveriesSchema = Type.Object({ deliveries: Type.Array(Type.Ref("Delivery")) }, { $id: "Deliveries" });

export const deletedWebhookSchema = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: "DeletedWebhook" });

export function toWebhook({ id, url, description, types, containerTags, isEnabled, disabledReason, trouble, createdAt, updatedAt }: Webhook) {
	const failing = { failingSince: trouble?.since ?? null, nextTryAt: trouble?.retryAt ?? null };
	return { id, url, description, types, containerTags, isEnabled, disabledReason, ...failing, createdAt, updatedAt };
}

export function toNewWebhook({ webhook, secret }: WebhookWithSecret) {
	return { ...toWebhook(webhook), secret };
}

export function toWebhooks(webhooks: readonly Webhook[]) {
	return { webhooks: webhooks.map(toWebhook) };
}

export function toDelivery({ messageId, type, at, isDelivered, status, error, durationMs }: Delivery) {
	return { messageId, type, at, isDelivered, status, error, durationMs };
}

export function toDeliveries({ deliveries }: Webhook) {
	return { deliveries: deliveries.map(toDelivery) };
}
