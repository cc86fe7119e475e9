/** `/v3/settings`: how the organisation's later documents are read, and the reset. */

import type { SettingsService } from "../../../core/organisation/settings-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { changeSettingsBody, parseChangeSettings, parseReset, resetBody } from "../../wire/v3/organisation/settings-request.ts";
import { toChangedSettings, toReset, toSettings } from "../../wire/v3/organisation/settings-response.ts";
import { administers, reads } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

const tags = ["Settings"] as const;

export function settingsRoutes(settings: SettingsService): readonly Operation[] {
	return [
		operation(
			"GET /v3/settings",
			{
				access: reads,
				summary: "Read the settings of the organisation",
				description: "All of them; what was never set is null.",
				tags,
				operationId: "getSettings",
				responses: { 200: "Settings" },
				errors: ["CONTAINER_FORBIDDEN"],
			},
			async ({ caller }) => toSettings(await settings.get(caller)),
		),
		operation(
			"PATCH /v3/settings",
			{
				access: { ...administers, secret: "body" },
				summary: "Change the settings of the organisation",
				description: "Absent fields are unchanged. The change applies to documents that are processed later. For administrators.",
				tags,
				operationId: "changeSettings",
				body: changeSettingsBody,
				example: { chunkSize: 512, excludeItems: ["salary"], profileBuckets: [{ key: "travel", description: "Journeys made and planned" }] },
				responses: { 200: "ChangedSettings" },
				errors: ["INPUT_INVALID", "SETTINGS_CONTESTED"],
			},
			async ({ request, caller }) => {
				const change = parseChangeSettings(await readJson(request));
				return toChangedSettings(await settings.change(caller, change), change);
			},
		),
		operation(
			"POST /v3/settings/reset",
			{
				access: administers,
				summary: "Start over",
				description:
					"Takes away all documents, memories, container tags but the default one, connections, webhooks and settings, for good. The organisation, its keys and the record of administrative acts stay. For administrators.",
				tags,
				operationId: "resetSettings",
				body: resetBody,
				example: { confirmation: "RESET" },
				responses: { 200: "ResetReceipt" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller }) => toReset(await settings.reset(caller, parseReset(await readJson(request)))),
		),
		operation(
			"POST /v3/settings/suggest-buckets",
			{
				access: reads,
				summary: "Suggest profile buckets",
				description: "At most six, from frequent topics of documents, memories and the prompts. They are found by counting words, without a model.",
				tags,
				operationId: "suggestBuckets",
				responses: { 200: "BucketSuggestions" },
				errors: ["SETTINGS_TOPICLESS", "CONTAINER_FORBIDDEN"],
			},
			async ({ caller }) => ({ suggestions: await settings.suggestBuckets(caller) }),
		),
	];
}
