/** `/v1`: the memory router, in front of any provider with OpenAI's API. The routes exist only if a provider is configured. */

import type { Router } from "../router/create-router.ts";
import { readJson } from "../wire/requests/read-body.ts";
import { chatBody, exactNumber, parseChat } from "../wire/v1/chat-request.ts";
import { readAccess, writeAccess } from "./access.ts";
import { type Operation, operationsOf } from "./operation.ts";

const operation = operationsOf("Router");

export function routerRoutes(router: Router): readonly Operation[] {
	const routes = [
		operation(
			"POST /v1/chat/completions",
			{
				access: writeAccess,
				summary: "Chat with memory",
				description:
					"Adds the profile and the matching memories of the user to the prompt, forwards the request to the configured provider, returns its response, streams included, and stores the turn. The user is named by `x-sm-user-id`, `user` in the body or `userId` in the query, the conversation by `x-sm-conversation-id`. See docs/router.md.",
				operationId: "routeChat",
				body: chatBody,
				example: { model: "gpt-4o-mini", messages: [{ role: "user", content: "Where do I live?" }], user: "user_123" },
				responses: { 200: null },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "CUSTOM_ID_TAKEN", "ROUTER_UNAVAILABLE"],
			},
			async ({ request, caller }) => {
				const writableContainer = caller.grants?.find(({ permission }) => permission === "write")?.containerTag ?? null;
				return router.chat(caller, parseChat(await readJson(request, exactNumber), request, writableContainer), request);
			},
		),
		operation(
			"GET /v1/models",
			{
				access: readAccess,
				summary: "List the provider's models",
				description: "The response of the memory router's provider.",
				operationId: "listRoutedModels",
				responses: { 200: null },
				errors: ["ROUTER_UNAVAILABLE"],
			},
			({ request }) => router.models(request),
		),
	];
	return routes.map((route) => ({ ...route, hasNoTimeout: true }));
}
