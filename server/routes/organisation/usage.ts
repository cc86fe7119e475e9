/** `GET /v3/usage`: what the language model has cost. */

import type { UsageService } from "../../../core/language/usage-service.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { parseUsage, toUsage, usageQuery } from "../../wire/v3/organisation/usage.ts";
import { oversees } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

export function usageRoutes(usage: UsageService): readonly Operation[] {
	return [
		operation(
			"GET /v3/usage",
			{
				access: oversees,
				summary: "What the language model has cost",
				description: "Calls and tokens by day, container and key, and the use of today's budget. For administrators.",
				tags: ["Settings"],
				operationId: "getUsage",
				query: usageQuery,
				responses: { 200: "Usage" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller }) => {
				const { from, to } = parseUsage(bodyFromQuery(new URL(request.url), usageQuery));
				return toUsage(await usage.read(caller, from, to));
			},
		),
	];
}
