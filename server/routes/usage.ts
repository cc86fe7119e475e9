/** `GET /v3/usage`: what the language model has cost. */

import { Elysia } from "elysia";
import type { UsageService } from "../../core/language/usage-service.ts";
import type { Authenticate } from "../app.ts";
import { bodyFromQuery } from "../wire/query-string.ts";
import { parseUsage, toUsage, usageQuery } from "../wire/v3/usage.ts";
import { operation } from "./operation.ts";

export function usageRoutes(usage: UsageService, authenticate: Authenticate) {
	return new Elysia().get(
		"/v3/usage",
		async ({ request }) => {
			const caller = await authenticate(request);
			const { from, to } = parseUsage(bodyFromQuery(new URL(request.url), usageQuery));
			return toUsage(await usage.read(caller, from, to));
		},
		{
			detail: operation({
				summary: "What the language model has cost",
				description: "Calls and tokens by day, container and key, and what is left of today's budget. For administrators.",
				tags: ["Settings"],
				operationId: "getUsage",
				query: usageQuery,
				answers: { 200: "Usage" },
				errors: ["INPUT_INVALID", "ROLE_MISSING"],
			}),
		},
	);
}
