/** `/v3/webhooks`: URLs that signed events are sent to. For administrators. */

import type { WebhookService } from "../../../core/webhooks/webhook-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { changeWebhookBody, createWebhookBody, parseChangeWebhook, parseCreateWebhook } from "../../wire/v3/organisation/webhook-request.ts";
import { toDeliveries, toDelivery, toNewWebhook, toWebhook, toWebhooks } from "../../wire/v3/organisation/webhook-response.ts";
import { adminAccess, adminReadAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Events");
const types = ["document.done", "document.failed"];

export function webhookRoutes(webhooks: WebhookService): readonly Operation[] {
	return [
		operation(
			"POST /v3/webhooks",
			{
				access: { ...adminAccess, secret: "answer" },
				summary: "Add a webhook",
				description: "Later events are posted to the URL, signed according to Standard Webhooks. The secret is returned only this once.",
				operationId: "createWebhook",
				body: createWebhookBody,
				example: { url: "https://example.com/cairn-events", types },
				responses: { 201: "WebhookWithSecret" },
				errors: ["INPUT_INVALID", "ADDRESS_BLOCKED", "WEBHOOKS_TOO_MANY"],
			},
			async ({ request, caller }) => {
				const created = await webhooks.create(caller, parseCreateWebhook(await readJson(request)));
				return toNewWebhook(created);
			},
		),
		operation(
			"GET /v3/webhooks",
			{ access: adminReadAccess, summary: "List webhooks", operationId: "listWebhooks", responses: { 200: "Webhooks" }, errors: [] },
			async ({ caller }) => toWebhooks(await webhooks.list(caller)),
		),
		operation(
			"GET /v3/webhooks/:id",
			{ access: adminReadAccess, summary: "Read a webhook", operationId: "getWebhook", responses: { 200: "Webhook" }, errors: ["WEBHOOK_MISSING"] },
			async ({ params, caller }) => toWebhook(await webhooks.get(caller, params.id)),
		),
		operation(
			"PATCH /v3/webhooks/:id",
			{
				access: adminAccess,
				summary: "Change a webhook, enable or disable it",
				description: "Enabling it retries failed deliveries at once, if their events are still stored.",
				operationId: "changeWebhook",
				body: changeWebhookBody,
				example: { types, isEnabled: true },
				responses: { 200: "Webhook" },
				errors: ["INPUT_INVALID", "ADDRESS_BLOCKED", "WEBHOOK_MISSING", "WEBHOOK_CONTESTED"],
			},
			async ({ request, params, caller }) => toWebhook(await webhooks.change(caller, params.id, parseChangeWebhook(await readJson(request)))),
		),
		operation(
			"DELETE /v3/webhooks/:id",
			{
				access: adminAccess,
				summary: "Delete a webhook",
				operationId: "deleteWebhook",
				responses: { 200: "DeletedWebhook" },
				errors: ["WEBHOOK_MISSING"],
			},
			async ({ params, caller }) => {
				await webhooks.remove(caller, params.id);
				return { id: params.id, deleted: true };
			},
		),
		operation(
			"POST /v3/webhooks/:id/rotate",
			{
				access: { ...adminAccess, secret: "answer" },
				summary: "Make a new secret",
				description: "It is returned only this once. For 24 hours, messages are also signed with the old secret.",
				operationId: "rotateWebhookSecret",
				responses: { 200: "WebhookWithSecret" },
				errors: ["WEBHOOK_MISSING", "WEBHOOK_CONTESTED"],
			},
			async ({ params, caller }) => toNewWebhook(await webhooks.rotate(caller, params.id)),
		),
		operation(
			"POST /v3/webhooks/:id/test",
			{
				access: adminAccess,
				summary: "Send a test message",
				description: "Sends one message of the type `webhook.test` and returns the result.",
				operationId: "testWebhook",
				responses: { 200: "Delivery" },
				errors: ["WEBHOOK_MISSING"],
			},
			async ({ request, params, caller }) => toDelivery(await webhooks.test(caller, params.id, request.signal)),
		),
		operation(
			"GET /v3/webhooks/:id/deliveries",
			{
				access: adminReadAccess,
				summary: "List the last deliveries of a webhook",
				description: "Newest first, including failed attempts.",
				operationId: "listDeliveries",
				responses: { 200: "Deliveries" },
				errors: ["WEBHOOK_MISSING"],
			},
			async ({ params, caller }) => toDeliveries(await webhooks.get(caller, params.id)),
		),
	];
}
