/** The OpenAPI description at `/swagger/json` and `/openapi.json`, and Swagger UI at `/swagger`: all from this server alone. */

import { swagger } from "@elysiajs/swagger";
import type { TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { fail } from "../../core/errors/fail.ts";
import { version } from "../version.ts";
import { explanationSchema, scorePartsSchema } from "../wire/explanation.ts";
import { toOpenApi30 } from "../wire/openapi.ts";
import { paginationSchema } from "../wire/paging.ts";
import { browsedSchema, facetsSchema } from "../wire/v3/browse-schemas.ts";
import * as connections from "../wire/v3/connection-response.ts";
import * as containers from "../wire/v3/container-response.ts";
import { eventStreamSchema } from "../wire/v3/event-stream.ts";
import { inferredSchema, reviewedSchema } from "../wire/v3/inferred.ts";
import * as keys from "../wire/v3/key-response.ts";
import { restoreReceiptSchema } from "../wire/v3/removals.ts";
import * as v3 from "../wire/v3/schemas.ts";
import * as settings from "../wire/v3/settings-response.ts";
import { usageSchema } from "../wire/v3/usage.ts";
import * as webhooks from "../wire/v3/webhook-response.ts";
import { graphSchema } from "../wire/v4/graph.ts";
import { profileBucketsSchema, profileSchema } from "../wire/v4/profile.ts";
import { agedMemorySchema, dueMemoriesSchema } from "../wire/v4/review.ts";
import { rollbackReceiptSchema } from "../wire/v4/rollback.ts";
import * as v4 from "../wire/v4/schemas.ts";
import { swaggerAsset, swaggerPage, swaggerPolicy } from "./swagger-page.ts";

/** Where the swagger plugin leaves what it has gathered; nobody is told of it. */
const gatheredPath = "/swagger/gathered";

const queueDepth = Type.Object({ waiting: Type.Integer(), leased: Type.Integer() });
const components: Readonly<Record<string, TSchema>> = {
	Error: v3.errorSchema,
	Receipt: v3.receiptSchema,
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
	Session: keys.sessionSchema,
	Audit: keys.auditSchema,
	About: Type.Object({ name: Type.String(), version: Type.String(), documentation: Type.String() }),
	Health: Type.Object({ status: Type.Literal("ok"), version: Type.String() }),
	Ready: Type.Object({ status: Type.Literal("ready"), version: Type.String(), queue: queueDepth }),
};

const about = {
	info: {
		title: "Cairn",
		version,
		description: "Document processing and memory search on your own machine. Press **Authorize** and paste your API key to try the calls.",
		license: { name: "AGPL-3.0-or-later", url: "https://www.gnu.org/licenses/agpl-3.0.html" },
	},
	servers: [{ url: "/", description: "this server" }],
	tags: [
		{ name: "Documents", description: "Content goes in here." },
		{ name: "Search", description: "And is found here." },
		{ name: "Memories", description: "Small facts, versioned; written, changed and forgotten here." },
		{ name: "Connections", description: "Websites, buckets and other services: what is there becomes documents, and follows its changes." },
		{ name: "Events", description: "What happens, as it happens: on a stream, or posted to you." },
		{ name: "Keys", description: "Who may do what, and who did." },
		{ name: "Health", description: "For those who keep the server running; needs no key." },
	],
	security: [{ bearer: [] }],
};

/** Gathers the routes of the app it is used in, when it is first asked. */
export function descriptionRoutes(handle: (request: Request) => Promise<Response>) {
	let described: Promise<unknown> | null = null;
	const describe = () => {
		described ??= gather(handle);
		return described;
	};
	const hidden = { detail: { hide: true } };
	return new Elysia()
		.use(swagger({ path: "/swagger/plain", specPath: gatheredPath, exclude: [/^\/swagger/, "/openapi.json"], documentation: documentation() }))
		.get("/swagger", () => page(), hidden)
		.get("/swagger/", () => page(), hidden)
		.get("/swagger/json", describe, hidden)
		.get("/openapi.json", describe, hidden)
		.get("/swagger/assets/:name", ({ params, request }) => asset(params.name, request), hidden);
}

function documentation() {
	const bearer = { type: "http", scheme: "bearer", description: "The API key the server printed at its first start." } as const;
	return { ...about, components: { securitySchemes: { bearer }, schemas: { ...components } } } as Parameters<typeof swagger>[0] extends
		| { documentation?: infer D }
		| undefined
		? D
		: never;
}

async function gather(handle: (request: Request) => Promise<Response>): Promise<unknown> {
	const gathered = await (await handle(new Request(`http://localhost${gatheredPath}`))).json();
	return toOpenApi30(gathered);
}

function page(): Response {
	return new Response(swaggerPage({ specUrl: "/swagger/json", assetsUrl: "/swagger/assets" }), {
		headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": swaggerPolicy },
	});
}

function asset(name: string, { method, url }: Request): Response {
	const found = swaggerAsset(name);
	if (found === null) throw fail("ROUTE_MISSING", method, new URL(url).pathname, "");
	return new Response(found.body, {
		headers: { "content-type": found.mediaType, "x-content-type-options": "nosniff", "cache-control": "public, max-age=86400" },
	});
}
