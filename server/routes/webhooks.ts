/** `/v3/webhooks`: who is told what happens, signed. For administrators. */

import { Elysia } from "elysia";
import type { WebhookService } from "../../core/webhooks/webhook-service.ts";
import type { Authenticate } from "../app.ts";
import { readJson } from "../wire/read-body.ts";
import { changeWebhookBody, createWebhookBody, parseChangeWebhook, parseCreateWebhook } from "../wire/v3/webhook-request.ts";
import { toDeliveries, toDelivery, toNewWebhook, toWebhook, toWebhooks } from "../wire/v3/webhook-response.ts";
import { operation } from "./operation.ts";

const tags = ["Events"] as const;
const types = ["document.done", "document.failed"];

export function webhookRoutes(webhooks: WebhookService, authenticate: Authenticate) {
	return new Elysia()
		.post(
			"/v3/webhooks",
			async ({ request, set }) => {
				const caller = await authenticate(request);
				const created = await webhooks.create(caller, parseCreateWebhook(await readJson(request)));
				set.status = 201;
				return toNewWebhook(created);
			},
			{
				parse: "none",
				detail: operation({
					summary: "Add a webhook",
					description: "Events from now on are posted to the address, signed as Standard Webhooks says. The secret is shown this once.",
					tags,
					operationId: "createWebhook",
					body: createWebhookBody,
					example: { url: "https://example.com/cairn-events", types },
					answers: { 201: "WebhookWithSecret" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "WEBHOOKS_TOO_MANY"],
				}),
			},
		)
		.get("/v3/webhooks", async ({ request }) => toWebhooks(await webhooks.list(await authenticate(request))), {
			detail: operation({
				summary: "List webhooks",
				tags,
				operationId: "listWebhooks",
				answers: { 200: "Webhooks" },
				errors: ["ROLE_MISSING"],
			}),
		})
		.get("/v3/webhooks/:id", async ({ request, params }) => toWebhook(await webhooks.get(await authenticate(request), params.id)), {
			detail: operation({
				summary: "Read a webhook",
				tags,
				operationId: "getWebhook",
				answers: { 200: "Webhook" },
				errors: ["ROLE_MISSING", "WEBHOOK_MISSING"],
			}),
		})
		.patch(
			"/v3/webhooks/:id",
			async ({ request, params }) => {
				const caller = await authenticate(request);
				return toWebhook(await webhooks.change(caller, params.id, parseChangeWebhook(await readJson(request))));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Change a webhook, enable or disable it",
					description: "Enabling it tries at once what could not be delivered, as far as it is still kept.",
					tags,
					operationId: "changeWebhook",
					body: changeWebhookBody,
					example: { types, isEnabled: true },
					answers: { 200: "Webhook" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "WEBHOOK_MISSING", "WEBHOOK_CONTESTED"],
				}),
			},
		)
		.delete(
			"/v3/webhooks/:id",
			async ({ request, params }) => {
				await webhooks.remove(await authenticate(request), params.id);
				return { id: params.id, deleted: true };
			},
			{
				detail: operation({
					summary: "Delete a webhook",
					tags,
					operationId: "deleteWebhook",
					answers: { 200: "DeletedWebhook" },
					errors: ["ROLE_MISSING", "WEBHOOK_MISSING"],
				}),
			},
		)
		.post("/v3/webhooks/:id/rotate", async ({ request, params }) => toNewWebhook(await webhooks.rotate(await authenticate(request), params.id)), {
			parse: "none",
			detail: operation({
				summary: "Make a new secret",
				description: "It is shown this once. For 24 hours messages carry a signature of the old one too.",
				tags,
				operationId: "rotateWebhookSecret",
				answers: { 200: "WebhookWithSecret" },
				errors: ["ROLE_MISSING", "WEBHOOK_MISSING", "WEBHOOK_CONTESTED"],
			}),
		})
		.post("/v3/webhooks/:id/test", async ({ request, params }) => toDelivery(await webhooks.test(await authenticate(request), params.id, request.signal)), {
			parse: "none",
			detail: operation({
				summary: "Send a test message",
				description: "Once, of the type `webhook.test`, and says how that went.",
				tags,
				operationId: "testWebhook",
				answers: { 200: "Delivery" },
				errors: ["ROLE_MISSING", "WEBHOOK_MISSING"],
			}),
		})
		.get("/v3/webhooks/:id/deliveries", async ({ request, params }) => toDeliveries(await webhooks.get(await authenticate(request), params.id)), {
			detail: operation({
				summary: "The last deliveries of a webhook",
				description: "The newest first, tries that failed included.",
				tags,
				operationId: "listDeliveries",
				answers: { 200: "Deliveries" },
				errors: ["ROLE_MISSING", "WEBHOOK_MISSING"],
			}),
		});
}
