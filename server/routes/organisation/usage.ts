/** `GET /v3/usage`: the usage and cost of the language model. */

import type { UsageService } from "../../../core/language/usage-service.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { parseUsage, toUsage, usageQuery } from "../../wire/v3/organisation/usage.ts";
import { adminReadAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Settings");

export function usageRoutes(usage: UsageService): readonly Operation[] {
	return [
		operation(
			"GET /v3/usage",
			{
				access: adminReadAccess,
				summary: "Read the usage of the organisation",
				description:
					"Documents and bytes stored, calls and tokens of the language model by day, container and key, and the quotas and budgets. For administrators.",
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
