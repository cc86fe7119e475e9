/** `/v3/connections`: external services whose items become documents and stay in sync. */

import type { ConnectionService } from "../../../core/connections/connection-service.ts";
import { asServiceError } from "../../../core/errors/fail.ts";
import type { KeyBearer } from "../../../core/model/caller.ts";
import { signInResponse } from "../../oauth/sign-in-page.ts";
import type { CreateSignInRoute } from "../../oauth/sign-in-route.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import {
	configureBody,
	connectionsOfProviderBody,
	createConnectionBody,
	deleteConnectionQuery,
	listConnectionsBody,
	oneConnectionBody,
	parseConfigure,
	parseConnectionsOfProvider,
	parseCreateConnection,
	parseKeepsDocuments,
	parseListConnections,
	parseOneConnection,
	parseResourcePage,
	resourcesQuery,
} from "../../wire/v3/organisation/connection-request.ts";
import {
	toConfigured,
	toConnection,
	toConnectionDocument,
	toDeletedConnection,
	toNewConnection,
	toResources,
	toSyncRuns,
} from "../../wire/v3/organisation/connection-response.ts";
import { adminAccess, publicAccess, readAccess, writeAccess } from "../access.ts";
import { type Call, type Operation, operationsOf, undocumentedOperation } from "../operation.ts";

const operation = operationsOf("Connections");
const connectionPath = "/v3/connections/:providerOrId";
const builtInNote = "The built-in connectors have none: what they sync is set in the metadata.";

/** @param signInRoute checks where a browser may be sent. */
export function connectionRoutes(connections: ConnectionService, signInRoute: CreateSignInRoute): readonly Operation[] {
	const list = async (caller: KeyBearer, body: unknown) => (await connections.list(caller, parseListConnections(body))).map(toConnection);

	const importAll = async ({ request, params, caller }: Call<"providerOrId", KeyBearer>) => {
		await connections.import(caller, parseConnectionsOfProvider(params.providerOrId, await readJson(request)));
		return new Response("Importing connections...", { status: 202, headers: { "content-type": "text/plain;charset=utf-8" } });
	};

	return [
		operation(
			"POST /v3/connections/list",
			{
				access: readAccess,
				summary: "List connections",
				description: "Newest first: all connections, those of a provider, or those with all of the given container tags.",
				operationId: "listConnections",
				body: listConnectionsBody,
				example: { containerTags: ["user_123"] },
				responses: { 200: "Connections" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "PROVIDER_UNKNOWN"],
			},
			async ({ request, caller }) => list(caller, await readJson(request)),
		),
		// Old paths of the first clients, which the OpenAPI description leaves out.
		{ ...undocumentedOperation("GET /v3/connections", readAccess, ({ caller }) => list(caller, {})), isOld: true },
		operation(
			`POST ${connectionPath}`,
			{
				access: { ...adminAccess, secret: "body" },
				summary: "Create a connection",
				description:
					"For `s3`, `web-crawler`, `github`, `gmail`, `google-drive`, `onedrive`, `dropbox`, `imap`, or another provider of docs/connections.md or of a plugin. Access to the source is checked at once; then the first sync starts. Where somebody has to sign in, such as `google-drive`, `gmail`, `onedrive` or `dropbox`, or `github` and `notion` without a token, `authLink` is where, and the connection is made after that. With `signIn: device`, which `github` and `onedrive` have, `userCode` is typed in there, on any device. Creating the same connection again changes its keys and its limit. For administrators. See docs/connections.md.",
				operationId: "createConnection",
				body: createConnectionBody,
				example: { containerTag: "handbook", documentLimit: 500, metadata: { startUrl: "https://example.com/" } },
				responses: { 200: "NewConnection" },
				errors: [
					...["INPUT_INVALID", "CONNECTION_INVALID", "REDIRECT_FORBIDDEN", "PROVIDER_UNKNOWN", "CONNECTIONS_TOO_MANY"],
					...["SIGN_INS_TOO_MANY", "CONNECTOR_MISSING", "ADDRESS_FAILED"],
				] as const,
			},
			async ({ request, params: { providerOrId: provider }, caller }) => {
				const { redirectUrl, isAtDevice, ...newConnection } = parseCreateConnection(provider, await readJson(request));
				const route = () => signInRoute(request, provider, redirectUrl);
				return toNewConnection(await connections.create(caller, newConnection, route, request.signal, isAtDevice));
			},
		),
		// A page for the browser that comes back from a provider; the state in its query is what admits it.
		undocumentedOperation("GET /v3/connections/auth/callback/:provider", publicAccess, async ({ request, params: { provider } }) => {
			const finish = connections.finishSignIn(provider, new URL(request.url).searchParams, request.signal);
			return signInResponse(await finish.catch(asServiceError));
		}),
		operation(
			`GET ${connectionPath}`,
			{
				access: readAccess,
				summary: "Read a connection by its id",
				description:
					"`lastSyncRun` is the state of its last sync. While somebody is still to sign in, the error says so (`SIGN_IN_PENDING`), or why nobody will.",
				operationId: "getConnection",
				responses: { 200: "Connection" },
				errors: ["CONNECTION_MISSING", "SIGN_IN_PENDING", "SIGN_IN_REFUSED"],
			},
			async ({ params, caller }) => toConnection(await connections.get(caller, params.providerOrId)),
		),
		operation(
			`DELETE ${connectionPath}`,
			{
				access: adminAccess,
				summary: "Delete a connection",
				description:
					"By its id, or by the name of its provider with its `containerTags` in the body. Its documents are deleted too, unless `deleteDocuments=false`. For administrators.",
				operationId: "deleteConnection",
				query: deleteConnectionQuery,
				body: connectionsOfProviderBody,
				isBodyOptional: true,
				responses: { 200: "DeletedConnection" },
				errors: ["INPUT_INVALID", "CONNECTION_MISSING", "CONNECTION_AMBIGUOUS"],
			},
			async ({ request, params: { providerOrId }, caller }) => {
				const keepsDocuments = parseKeepsDocuments(request.url);
				if (!connections.isProvider(providerOrId)) return toDeletedConnection(await connections.remove(caller, providerOrId, keepsDocuments));
				const connectionQuery = parseOneConnection(providerOrId, await readJson(request));
				return toDeletedConnection(await connections.removeOnly(caller, connectionQuery, keepsDocuments));
			},
		),
		operation(
			`POST ${connectionPath}/connection`,
			{
				access: readAccess,
				summary: "Read a connection by provider and container tags",
				description: "The newest connection of the provider with all of these container tags.",
				operationId: "getConnectionByTags",
				body: oneConnectionBody,
				example: { containerTags: ["user_123"] },
				responses: { 200: "Connection" },
				errors: ["INPUT_INVALID", "CONNECTION_MISSING", "PROVIDER_UNKNOWN"],
			},
			async ({ request, params, caller }) => toConnection(await connections.find(caller, parseOneConnection(params.providerOrId, await readJson(request)))),
		),
		operation(
			`POST ${connectionPath}/documents`,
			{
				access: readAccess,
				summary: "List the documents of a provider",
				description: "The documents of its connections: of all of them, or of those with all of these container tags.",
				operationId: "listConnectionDocuments",
				body: connectionsOfProviderBody,
				example: { containerTags: ["user_123"] },
				responses: { 200: "ConnectionDocuments" },
				errors: ["INPUT_INVALID", "PROVIDER_UNKNOWN"],
			},
			async ({ request, params, caller }) =>
				(await connections.documents(caller, parseConnectionsOfProvider(params.providerOrId, await readJson(request)))).map(toConnectionDocument),
		),
		operation(
			`POST ${connectionPath}/import`,
			{
				access: writeAccess,
				summary: "Sync now",
				description: "Starts a sync of the provider's connections: of all of them, or of those with all of these container tags.",
				operationId: "importConnections",
				body: connectionsOfProviderBody,
				example: { containerTags: ["user_123"] },
				responses: { 202: "Importing" },
				responseType: "text/plain",
				errors: ["INPUT_INVALID", "PROVIDER_UNKNOWN"],
			},
			importAll,
		),
		{ ...undocumentedOperation(`POST ${connectionPath}/sync`, writeAccess, importAll), isOld: true },
		operation(
			`GET ${connectionPath}/resources`,
			{
				access: readAccess,
				summary: "List what a connection could sync",
				description: `Only for connectors with resources to choose from. ${builtInNote}`,
				operationId: "listConnectionResources",
				query: resourcesQuery,
				responses: { 200: "ConnectionResources" },
				errors: ["INPUT_INVALID", "CONNECTION_MISSING", "CONNECTION_WITHOUT_RESOURCES"],
			},
			async ({ request, params: { providerOrId }, caller }) =>
				toResources(await connections.resources(caller, providerOrId, parseResourcePage(request.url), request.signal)),
		),
		operation(
			`POST ${connectionPath}/configure`,
			{
				access: adminAccess,
				summary: "Choose what a connection syncs",
				description: `Starts a sync of the chosen resources and removes the others. For administrators. ${builtInNote}`,
				operationId: "configureConnection",
				body: configureBody,
				example: { resources: [{ id: "resource-1" }] },
				responses: { 200: "ConfiguredConnection" },
				errors: ["INPUT_INVALID", "CONNECTION_MISSING", "CONNECTION_WITHOUT_RESOURCES"],
			},
			async ({ request, params: { providerOrId }, caller }) => {
				const resources = parseConfigure(await readJson(request));
				await connections.choose(caller, providerOrId, resources);
				return toConfigured(resources.length);
			},
		),
		operation(
			`GET ${connectionPath}/sync-runs`,
			{
				access: readAccess,
				summary: "List the last syncs of a connection",
				description: "Newest first, at most twenty, with warnings about single items.",
				operationId: "listSyncRuns",
				responses: { 200: "SyncRuns" },
				errors: ["CONNECTION_MISSING", "SIGN_IN_PENDING", "SIGN_IN_REFUSED"],
			},
			async ({ params, caller }) => toSyncRuns(await connections.get(caller, params.providerOrId)),
		),
	];
}
