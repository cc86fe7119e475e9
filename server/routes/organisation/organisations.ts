/** `/v3/organisations`: an operator adds and removes organisations, and sets their quotas. */

import type { OrganisationService } from "../../../core/organisation/organisation-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { organisationBody, parseOrganisation, parseQuotas, quotasBody, toOrganisation } from "../../wire/v3/organisation/organisations.ts";
import { operatorAccess, operatorReadAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Organisations");

export function organisationRoutes(organisations: OrganisationService): readonly Operation[] {
	return [
		operation(
			"GET /v3/organisations",
			{
				access: operatorReadAccess,
				summary: "List organisations",
				description: "Oldest first, with their quotas and what they use. For operators.",
				operationId: "listOrganisations",
				responses: { 200: "OrganisationList" },
				errors: [],
			},
			async () => ({ organisations: (await organisations.list()).map(toOrganisation) }),
		),
		operation(
			"POST /v3/organisations",
			{
				access: { ...operatorAccess, secret: "answer" },
				summary: "Add an organisation",
				description: "With its first key, an admin's. Whoever adds the second organisation of a server becomes its operator.",
				operationId: "createOrganisation",
				body: organisationBody,
				example: { name: "Harbour Ltd", quotas: { documents: 10_000, requestsPerMinute: 600 } },
				responses: { 200: "NewOrganisation" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller }) => {
				const { organisation, minted } = await organisations.create(caller, parseOrganisation(await readJson(request)));
				return { ...toOrganisation(organisation), key: minted.secret };
			},
		),
		operation(
			"PUT /v3/organisations/:id/quotas",
			{
				access: operatorAccess,
				summary: "Set the quotas of an organisation",
				description: "Replaces all of them. What an organisation has beyond a quota stays; it can add no more. For operators.",
				operationId: "setQuotas",
				body: quotasBody,
				example: { documents: 10_000, bytes: 1_000_000_000, tokensPerDay: 500_000, requestsPerMinute: 600 },
				responses: { 200: "Organisation" },
				errors: ["INPUT_INVALID", "ORGANISATION_MISSING"],
			},
			async ({ request, params, caller }) => toOrganisation(await organisations.setQuotas(caller, params.id, parseQuotas(await readJson(request)))),
		),
		operation(
			"DELETE /v3/organisations/:id",
			{
				access: operatorAccess,
				summary: "Remove an organisation",
				description:
					"Its keys stop at once. Its data is erased in the background, for good; until then the organisation is listed as `removing`. For operators.",
				operationId: "removeOrganisation",
				responses: { 202: "Organisation" },
				errors: ["ORGANISATION_MISSING", "ORGANISATION_OWN"],
			},
			async ({ params, caller }) => toOrganisation(await organisations.remove(caller, params.id)),
		),
	];
}
