/** `/v3/settings`: the settings of an organisation, and its reset. */

import type { SettingsService } from "../../../core/organisation/settings-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { changeSettingsBody, parseChangeSettings, parseReset, resetBody } from "../../wire/v3/organisation/settings-request.ts";
import { toChangedSettings, toReset, toSettings } from "../../wire/v3/organisation/settings-response.ts";
import { adminAccess, readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Settings");

export function settingsRoutes(settings: SettingsService): readonly Operation[] {
	return [
		operation(
			"GET /v3/settings",
			{
				access: readAccess,
				summary: "Read the settings of the organisation",
				description: "All settings; those that were never set are null.",
				operationId: "getSettings",
				responses: { 200: "Settings" },
				errors: ["CONTAINER_FORBIDDEN"],
			},
			async ({ caller }) => toSettings(await settings.get(caller)),
		),
		operation(
			"PATCH /v3/settings",
			{
				access: { ...adminAccess, secret: "body" },
				summary: "Change the settings of the organisation",
				description: "Absent fields are unchanged. The change applies to documents that are processed later. For administrators.",
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
				access: adminAccess,
				summary: "Reset the organisation",
				description:
					"Permanently deletes all documents, memories, connections, webhooks and settings, and all container tags except the default one. The organisation, its keys and the audit log are kept. For administrators.",
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
				access: readAccess,
				summary: "Suggest profile buckets",
				description: "At most six, from frequent topics of documents, memories and the prompts. They are found by counting words, without a model.",
				operationId: "suggestBuckets",
				responses: { 200: "BucketSuggestions" },
				errors: ["SETTINGS_TOPICLESS", "CONTAINER_FORBIDDEN"],
			},
			async ({ caller }) => ({ suggestions: await settings.suggestBuckets(caller) }),
		),
	];
}
