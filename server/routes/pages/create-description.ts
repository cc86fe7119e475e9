/** Makes the OpenAPI description of all documented routes. It is imported at the first request for it: the Swagger plugin takes memory. */

import { swagger } from "@elysiajs/swagger";
import type { TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { serverRoles } from "../../settings/settings.ts";
import { version } from "../../version.ts";
import { filterSchemas } from "../../wire/requests/filter.ts";
import { paginationSchema } from "../../wire/requests/paging.ts";
import { explanationSchema, scorePartsSchema } from "../../wire/responses/explanation.ts";
import { toOpenApi30 } from "../../wire/responses/openapi.ts";
import { responseExample } from "../../wire/responses/response-example.ts";
import { browsedSchema, facetsSchema } from "../../wire/v3/documents/browse-schemas.ts";
import { inferredSchema, reviewedSchema } from "../../wire/v3/documents/inferred.ts";
import { pagePictureSchema } from "../../wire/v3/documents/page-request.ts";
import { restoreReceiptSchema } from "../../wire/v3/documents/removals.ts";
import { backupRunSchema, backupsSchema } from "../../wire/v3/organisation/backups.ts";
import * as connections from "../../wire/v3/organisation/connection-response.ts";
import { consentListSchema } from "../../wire/v3/organisation/consent-response.ts";
import * as containers from "../../wire/v3/organisation/container-response.ts";
import { eventStreamSchema } from "../../wire/v3/organisation/event-stream.ts";
import * as keys from "../../wire/v3/organisation/key-response.ts";
import { serverSchema } from "../../wire/v3/organisation/machine.ts";
import * as organisations from "../../wire/v3/organisation/organisations.ts";
import * as settings from "../../wire/v3/organisation/settings-response.ts";
import { usageSchema } from "../../wire/v3/organisation/usage.ts";
import * as webhooks from "../../wire/v3/organisation/webhook-response.ts";
import * as v3 from "../../wire/v3/schemas.ts";
import { graphSchema } from "../../wire/v4/graph.ts";
import { profileBucketsSchema, profileSchema } from "../../wire/v4/profile.ts";
import { agedMemorySchema, dueMemoriesSchema } from "../../wire/v4/review.ts";
import { rollbackReceiptSchema } from "../../wire/v4/rollback.ts";
import * as v4 from "../../wire/v4/schemas.ts";
import type { Operation } from "../operation.ts";

type SwaggerDocumentation = NonNullable<NonNullable<Parameters<typeof swagger>[0]>["documentation"]>;

const rawDescriptionPath = "/gathered";

const queueDepth = Type.Object({ waiting: Type.Integer(), leased: Type.Integer() });
const components: Readonly<Record<string, TSchema>> = {
	Error: v3.errorSchema,
	Receipt: v3.receiptSchema,
	...filterSchemas,
	ConversationReceipt: v3.conversationReceiptSchema,
	Place: v3.placeSchema,
	Document: v3.documentSchema,
	ListedDocument: v3.listedDocumentSchema,
	Processing: v3.processingSchema,
	Pagination: paginationSchema,
	DocumentsWithMemories: browsedSchema,
	DocumentFacets: facetsSchema,
	DocumentList: v3.documentListSchema,
	BatchReceipt: v3.batchReceiptSchema,
	BulkReceipt: v3.bulkReceiptSchema,
	Chunks: v3.chunksSchema,
	FileUrl: v3.fileUrlSchema,
	PagePicture: pagePictureSchema,
	ScoreParts: scorePartsSchema,
	Explanation: explanationSchema,
	DocumentResults: v3.documentResultsSchema,
	MemoryResults: v4.memoryResultsSchema,
	WrittenMemories: v4.writtenMemoriesSchema,
	RevisedMemory: v4.revisedMemorySchema,
	ForgottenMemory: v4.forgottenMemorySchema,
	RestoredMemories: v4.restoredMemoriesSchema,
	InferredMemories: inferredSchema,
	MemoryGraph: graphSchema,
	DueMemories: dueMemoriesSchema,
	AgedMemory: agedMemorySchema,
	RollbackReceipt: rollbackReceiptSchema,
	ReviewedMemory: reviewedSchema,
	Profile: profileSchema,
	ProfileBuckets: profileBucketsSchema,
	RestoreReceipt: restoreReceiptSchema,
	MatchingMemories: v4.matchingMemoriesSchema,
	MemoryList: v4.memoryListSchema,
	EventStream: eventStreamSchema,
	Webhook: webhooks.webhookSchema,
	WebhookWithSecret: webhooks.newWebhookSchema,
	Webhooks: webhooks.webhooksSchema,
	DeletedWebhook: webhooks.deletedWebhookSchema,
	Delivery: webhooks.deliverySchema,
	Deliveries: webhooks.deliveriesSchema,
	Settings: settings.settingsSchema,
	ChangedSettings: settings.changedSettingsSchema,
	ResetReceipt: settings.resetSchema,
	BucketSuggestions: settings.bucketSuggestionsSchema,
	Usage: usageSchema,
	Backups: backupsSchema,
	BackupRun: backupRunSchema,
	Server: serverSchema,
	Organisation: organisations.organisationSchema,
	OrganisationList: organisations.organisationListSchema,
	NewOrganisation: organisations.newOrganisationSchema,
	Connection: connections.connectionSchema,
	Connections: connections.connectionsSchema,
	NewConnection: connections.newConnectionSchema,
	DeletedConnection: connections.deletedConnectionSchema,
	ConnectionDocuments: connections.connectionDocumentsSchema,
	SyncRuns: connections.syncRunsSchema,
	Importing: connections.importingSchema,
	ConnectionResources: connections.resourcesSchema,
	ConfiguredConnection: connections.configuredSchema,
	ContainerTags: containers.listedContainersSchema,
	ContainerTag: containers.containerSchema,
	ChangedContainerTag: containers.changedContainerSchema,
	DeletedContainerTag: containers.removedContainerSchema,
	QueuedMerge: containers.queuedMergeSchema,
	Merge: containers.mergeSchema,
	Key: keys.keySchema,
	KeyList: keys.keyListSchema,
	NewKey: keys.newKeySchema,
	Success: keys.successSchema,
	ConsentList: consentListSchema,
	Session: keys.sessionSchema,
	Audit: keys.auditSchema,
	About: Type.Object({ name: Type.String(), version: Type.String(), documentation: Type.String() }),
	Health: Type.Object({ status: Type.Literal("ok"), version: Type.String() }),
	Metrics: Type.String(),
	Ready: Type.Object({
		status: Type.Literal("ready"),
		version: Type.String(),
		role: Type.Union(serverRoles.map((role) => Type.Literal(role))),
		queue: queueDepth,
	}),
};

const generalInformation = {
	info: {
		title: "Cairn",
		version,
		description: "Document processing and memory search on your own machine. Press **Authorize** and paste your API key to try the calls.",
		license: { name: "AGPL-3.0-or-later", url: "https://www.gnu.org/licenses/agpl-3.0.html" },
	},
	servers: [{ url: "/", description: "this server" }],
	tags: [
		{ name: "Documents", description: "Add and manage content." },
		{ name: "Search", description: "Find content." },
		{ name: "Memories", description: "Short, versioned facts: write, change and forget them." },
		{ name: "Container tags", description: "Containers separate documents and memories: one for each person or project." },
		{ name: "Connections", description: "Websites, buckets and other services whose content becomes documents and stays in sync." },
		{ name: "Events", description: "Events of documents and memories: as a stream, or posted to a webhook." },
		{ name: "Settings", description: "How content is processed, and which tasks a language model may be used for." },
		{ name: "MCP", description: "Tools for agents, over the Model Context Protocol." },
		{ name: "Router", description: "Chat with memory, for any provider with OpenAI's API." },
		{ name: "Keys", description: "API keys, their rights, and the audit log." },
		{ name: "Organisations", description: "The organisations of the server and their quotas, for operators." },
		{ name: "Backups", description: "Copies of all data of the server, for operators." },
		{ name: "Health", description: "Status of the server, for operators." },
	],
	security: [{ bearer: [] }],
};

/** The Swagger plugin describes all routes of its Elysia instance, so it gets a separate instance that only has the documented routes. */
export async function createDescription(operations: readonly Operation[]): Promise<object> {
	const bearer = { type: "http", scheme: "bearer", description: "The API key the server printed at its first start." } as const;
	const documentation = { ...generalInformation, components: { securitySchemes: { bearer }, schemas: { ...components } } } as SwaggerDocumentation;
	const router = new Elysia().use(swagger({ path: "/page", specPath: rawDescriptionPath, exclude: ["/page", rawDescriptionPath], documentation }));
	for (const { method, path, detail } of operations) if (detail !== null) router.route(method, path, () => null, { detail });
	const rawDescription = await router.handle(new Request(`http://localhost${rawDescriptionPath}`));
	return toOpenApi30(withExamples(await rawDescription.json())) as object;
}

interface Described {
	readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DescribedResponse>> }>>>>;
}
interface DescribedResponse {
	readonly content?: { readonly "application/json"?: { readonly schema: { readonly $ref?: string }; readonly examples?: object; example?: unknown } };
}

const byId: ReadonlyMap<string, TSchema> = new Map(
	Object.values(components).flatMap((schema) => (schema.$id === undefined ? [] : [[schema.$id, schema] as const])),
);

/** Errors have examples of their own. */
function withExamples<Description extends Described>(description: Description): Description {
	for (const { responses } of Object.values(description.paths).flatMap((item) => Object.values(item)))
		for (const { content } of Object.values(responses)) {
			const json = content?.["application/json"];
			const schema = components[json?.schema.$ref?.split("/").at(-1) ?? ""];
			if (json !== undefined && json.examples === undefined && schema !== undefined) json.example = responseExample(schema, byId);
		}
	return description;
}
