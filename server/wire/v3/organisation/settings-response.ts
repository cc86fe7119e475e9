/** Settings as `/v3/settings` returns them, without secrets. */

import { type TSchema, Type } from "@sinclair/typebox";
import type { ResetCounts } from "../../../../core/organisation/reset.ts";
import type { Organisation } from "../../../../core/ports/account-store.ts";
import { modelUses } from "../../../../core/settings/model-uses.ts";
import { appNames, type SettingsChange, secretNames } from "../../../../core/settings/settings.ts";
import { profileBucket } from "./profile-buckets.ts";
import { secretPlaceholder } from "./settings-request.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const settingFields = {
	shouldLLMFilter: orNull(Type.Boolean()),
	filterPrompt: orNull(Type.String()),
	includeItems: Type.Unknown(),
	excludeItems: Type.Unknown(),
	categories: orNull(Type.Array(Type.String())),
	chunkSize: orNull(Type.Integer()),
	profileBuckets: Type.Array(profileBucket),
	workspacePrompt: orNull(Type.String()),
	modelUses: orNull(Type.Array(Type.Union(modelUses.map((use) => Type.Literal(use))))),
	...Object.fromEntries(
		appNames.flatMap((app) => [
			[`${app}CustomKeyEnabled`, orNull(Type.Boolean())],
			[`${app}ClientId`, orNull(Type.String())],
			[`${app}ClientSecret`, orNull(Type.Literal(secretPlaceholder))],
		]),
	),
};

export const settingsSchema = Type.Object(settingFields, { $id: "Settings" });

export const changedSettingsSchema = Type.Object(
	{
		orgId: Type.String(),
		orgSlug: Type.String(),
		updated: Type.Partial(Type.Object(settingFields), { description: "The settings of the request, with their new values." }),
	},
	{ $id: "ChangedSettings" },
);

export const resetSchema = Type.Object(
	{
		success: Type.Literal(true),
		deletedConnections: Type.Integer(),
		deletedDocumentBatches: Type.Integer(),
		deletedDocumentsApprox: Type.Integer(),
		deletedMemoryRows: Type.Integer({ description: "All versions counted." }),
		deletedExtraSpaces: Type.Integer({ description: "Container tags besides the default one." }),
		clearedDefaultSpaceContext: Type.Boolean({ description: "Whether the default one had a context." }),
		clearedBrainMemoryRegistry: Type.Boolean({ description: "Always false: there is no such registry." }),
		settingsReset: Type.Boolean(),
	},
	{ $id: "ResetReceipt" },
);

export const bucketSuggestionsSchema = Type.Object({ suggestions: Type.Array(profileBucket) }, { $id: "BucketSuggestions" });

export function toSettings(settings: SettingsChange) {
	const secrets = secretNames.flatMap((name) => (typeof settings[name] === "string" ? [[name, secretPlaceholder]] : []));
	return { ...settings, ...Object.fromEntries(secrets) };
}

export function toChangedSettings({ id, slug }: Organisation, change: SettingsChange) {
	return { orgId: id, orgSlug: slug, updated: toSettings(change) };
}

/** Documents that are deleted in one batch. */
const documentsPerBatch = 100;

export function toReset({ connections, documents, memories, containers, clearedDefault }: ResetCounts) {
	return {
		success: true,
		deletedConnections: connections,
		deletedDocumentBatches: Math.ceil(documents / documentsPerBatch),
		deletedDocumentsApprox: documents,
		deletedMemoryRows: memories,
		deletedExtraSpaces: containers,
		clearedDefaultSpaceContext: clearedDefault,
		clearedBrainMemoryRegistry: false,
		settingsReset: true,
	};
}
