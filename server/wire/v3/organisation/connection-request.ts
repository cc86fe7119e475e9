/** Parses the bodies and queries of `/v3/connections`. */

import { Type } from "@sinclair/typebox";
import type { ConnectionFilter } from "../../../../core/connections/connection-service.ts";
import type { NewConnection } from "../../../../core/connections/create-connection.ts";
import { fail } from "../../../../core/errors/fail.ts";
import { defaultContainerTag } from "../../../../core/model/container.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { Resource, ResourcePage } from "../../../../core/plugin/contract.ts";
import { asMetadata, containerTag, containerTags, mergeTags, metadata } from "../../requests/fields.ts";
import { isRecord } from "../../requests/is-record.ts";
import { bodyFromQuery } from "../../requests/query-string.ts";
import { reader } from "../../requests/reader.ts";

export const createConnectionBody = Type.Object({
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	documentLimit: Type.Optional(
		Type.Integer({
			minimum: 1,
			maximum: limits.connectionDocumentsMax,
			description: "The most documents that the connection may have at any time; 10000 by default.",
		}),
	),
	metadata: Type.Optional(
		Type.Union([metadata, Type.Null()], {
			nullable: true,
			description:
				"What the provider needs, such as `startUrl`, or the keys of a bucket; and attributes of your own. All of it except secrets is copied to each document.",
		}),
	),
	signIn: Type.Optional(
		Type.Union([Type.Literal("browser"), Type.Literal("device")], {
			description:
				"`device` asks for a code that somebody types in at any other device, for a server that no browser can come back to. Only some providers have it. `browser` by default.",
		}),
	),
	redirectUrl: Type.Optional(
		Type.String({
			maxLength: limits.addressCharactersMax,
			description:
				"Where the browser is sent after a sign-in: a page of this server, or of an origin that the operator allows. Ignored by providers without sign-in.",
		}),
	),
});

export const listConnectionsBody = Type.Object({
	containerTags: Type.Optional(containerTags),
	provider: Type.Optional(Type.String({ maxLength: 100, description: "Only connections of this provider." })),
});

/** For requests with the provider in the path. */
export const connectionsOfProviderBody = Type.Object({ containerTags: Type.Optional(containerTags) });
export const oneConnectionBody = Type.Object({ containerTags });

export const resourcesQuery = Type.Object({
	page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 1, description: "The page number, from 1." })),
	per_page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 30, description: "The most resources on a page." })),
	parent_id: Type.Optional(Type.String({ maxLength: 1_000, description: "Only resources inside this one." })),
});

export const configureBody = Type.Object({
	resources: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
		maxItems: 1_000,
		description: "The resources to sync, in the form in which they were listed.",
	}),
});

export const deleteConnectionQuery = Type.Object({
	deleteDocuments: Type.Optional(Type.String({ description: "`false` keeps the documents that the connection has synced.", default: "true" })),
});

const readCreate = reader(createConnectionBody);
const readList = reader(listConnectionsBody);
const readResources = reader(resourcesQuery);
const readConfigure = reader(configureBody);
const readContainers = reader(connectionsOfProviderBody);

/** Members of the metadata that are `null` are left out. @throws ServiceError of kind `invalid` */
export function parseCreateConnection(provider: string, raw: unknown): NewConnection & { readonly redirectUrl: string | null; readonly isAtDevice: boolean } {
	const body = readCreate(isRecord(raw) && isRecord(raw["metadata"]) ? { ...raw, metadata: omitNulls(raw["metadata"]) } : raw);
	const tags = mergeTags(body.containerTag, body.containerTags);
	return {
		provider,
		containerTags: tags.length > 0 ? tags : [defaultContainerTag],
		documentLimit: body.documentLimit ?? limits.connectionDocumentsMax,
		metadata: asMetadata(body.metadata ?? undefined),
		redirectUrl: body.redirectUrl ?? null,
		isAtDevice: body.signIn === "device",
	};
}

/** @throws ServiceError of kind `invalid` */
export function parseListConnections(raw: unknown): ConnectionFilter {
	const body = readList(raw);
	return { provider: body.provider ?? null, containerTags: mergeTags(undefined, body.containerTags) };
}

/** @throws ServiceError of kind `invalid` */
export function parseConnectionsOfProvider(provider: string, raw: unknown): ConnectionFilter {
	return { provider, containerTags: mergeTags(undefined, readContainers(raw).containerTags) };
}

/** For requests about one connection, which is identified by its containers. @throws ServiceError of kind `invalid` */
export function parseOneConnection(provider: string, raw: unknown): ConnectionFilter {
	const filter = parseConnectionsOfProvider(provider, raw);
	if (filter.containerTags.length === 0) throw fail("INPUT_INVALID", "containerTags are required");
	return filter;
}

/** @throws ServiceError of kind `invalid` */
export function parseResourcePage(url: string): ResourcePage {
	const { page, per_page: perPage, parent_id: parent } = readResources(bodyFromQuery(new URL(url), resourcesQuery));
	return { page: page || 1, perPage: perPage || 30, parent: parent ?? null };
}

/** @throws ServiceError of kind `invalid` */
export function parseConfigure(raw: unknown): readonly Resource[] {
	// The values were parsed from JSON, so they are JSON.
	return readConfigure(raw).resources as readonly Resource[];
}

/** Whether the documents are kept. Values other than `true` and `false` are rejected, so that a typo deletes nothing. */
export function parseKeepsDocuments(url: string): boolean {
	const { searchParams } = new URL(url);
	const value = searchParams.get("deleteDocuments") ?? searchParams.get("delete_documents") ?? "true";
	if (value !== "true" && value !== "false") throw fail("INPUT_INVALID", "deleteDocuments should be true or false");
	return value === "false";
}

function omitNulls(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}
