/** `/v3/auth/consents`: what MCP clients were allowed with this key, and the end of it. */

import type { GivenConsents } from "../../oauth/given-consents.ts";
import { toConsents } from "../../wire/v3/organisation/consent-response.ts";
import { readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Keys");

export function consentRoutes(consents: GivenConsents): readonly Operation[] {
	return [
		operation(
			"GET /v3/auth/consents",
			{
				access: { ...readAccess, scope: "any" },
				summary: "List the MCP clients that were allowed in",
				description: "Every key may list what was allowed with it; an admin key lists what was allowed with all keys. Never the tokens themselves.",
				operationId: "listConsents",
				responses: { 200: "ConsentList" },
				errors: [],
			},
			async ({ caller }) => toConsents(await consents.list(caller)),
		),
		operation(
			"DELETE /v3/auth/consents/:id",
			{
				access: { ...writeAccess, scope: "any" },
				summary: "End the access of an MCP client",
				description: "Its tokens are refused from then on. The key itself and other clients are not affected.",
				operationId: "deleteConsent",
				responses: { 200: "Success" },
				errors: ["CONSENT_MISSING"],
			},
			async ({ params, caller }) => {
				await consents.end(caller, params.id);
				return { success: true };
			},
		),
	];
}
