/** The bodies and queries of `/v3/connections` → requests to core. */

import { Type } from "@sinclair/typebox";
import type { ConnectionWish } from "../../../../core/connections/connection-service.ts";
import type { NewConnection } from "../../../../core/connections/create-connection.ts";
import { fail } from "../../../../core/errors/fail.ts";
import { defaultContainerTag } from "../../../../core/model/container.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { Resource, ResourcePage } from "../../../../core/plugin/contract.ts";
import { asMetadata, containerTag, containerTags, metadata, unitedTags } from "../../requests/fields.ts";
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
			description: "The most documents the connection may have at any time; 10000 unless said.",
		}),
	),
	metadata: Type.Optional(
		Type.Union([metadata, Type.Null()], {
			nullable: true,
			description:
				"What the provider needs, such as `startUrl`, or the keys of a bucket; and attributes of your own. All but secrets is copied to each document.",
		}),
	),
	redirectUrl: Type.Optional(
		Type.String({ maxLength: limits.addressCharactersMax, description: "Accepted and ignored: there is no sign-in to come back from." }),
	),
});

export const listConnectionsBody = Type.Object({
	containerTags: Type.Optional(containerTags),
	provider: Type.Optional(Type.String({ maxLength: 100, description: "Only connections of this provider." })),
});

/** Requests about the provider in the path. */
export const someConnectionsBody = Type.Object({ containerTags: Type.Optional(containerTags) });
export const namedConnectionBody = Type.Object({ containerTags });

export const resourcesQuery = Type.Object({
	page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 1, description: "From 1." })),
	per_page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 30 })),
	parent_id: Type.Optional(Type.String({ maxLength: 1_000, description: "Only what is inside of this resource." })),
});

export const configureBody = Type.Object({
	resources: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 1_000, description: "Those that are to be synced, as they were listed." }),
});

export const deleteConnectionQuery = Type.Object({
	deleteDocuments: Type.Optional(Type.String({ description: "`false` keeps the documents that the connection has brought.", default: "true" })),
});

const readCreate = reader(createConnectionBody);
const readList = reader(listConnectionsBody);
const readResources = reader(resourcesQuery);
const readConfigure = reader(configureBody);
const readSome = reader(someConnectionsBody);

/** `null` inside says that there is none. @throws ServiceError of kind `invalid` */
export function parseCreateConnection(provider: string, raw: unknown): NewConnection {
	const body = readCreate(isRecord(raw) && isRecord(raw["metadata"]) ? { ...raw, metadata: withoutNull(raw["metadata"]) } : raw);
	const tags = unitedTags(body.containerTag, body.containerTags);
	return {
		provider,
		containerTags: tags.length > 0 ? tags : [defaultContainerTag],
		documentLimit: body.documentLimit ?? limits.connectionDocumentsMax,
		metadata: asMetadata(body.metadata ?? undefined),
	};
}

/** @throws ServiceError of kind `invalid` */
export function parseListConnections(raw: unknown): ConnectionWish {
	const body = readList(raw);
	return { provider: body.provider ?? null, containerTags: unitedTags(undefined, body.containerTags) };
}

/** @throws ServiceError of kind `invalid` */
export function parseSomeConnections(provider: string, raw: unknown): ConnectionWish {
	return { provider, containerTags: unitedTags(undefined, readSome(raw).containerTags) };
}

/** One connection is meant, so a container has to say which. @throws ServiceError of kind `invalid` */
export function parseNamedConnection(provider: string, raw: unknown): ConnectionWish {
	const wish = parseSomeConnections(provider, raw);
	if (wish.containerTags.length === 0) throw fail("INPUT_INVALID", "containerTags are required");
	return wish;
}

/** @throws ServiceError of kind `invalid` */
export function parseResourcePage(address: string): ResourcePage {
	const { page, per_page: perPage, parent_id: parent } = readResources(bodyFromQuery(new URL(address), resourcesQuery));
	return { page: page || 1, perPage: perPage || 30, parent: parent ?? null };
}

/** @throws ServiceError of kind `invalid` */
export function parseConfigure(raw: unknown): readonly Resource[] {
	// What came as JSON is JSON all through.
	return readConfigure(raw).resources as readonly Resource[];
}

/** Whether documents are kept. Any other value is refused, so that a typing error deletes nothing. */
export function parseKeepsDocuments(address: string): boolean {
	const { searchParams } = new URL(address);
	const given = searchParams.get("deleteDocuments") ?? searchParams.get("delete_documents") ?? "true";
	if (given !== "true" && given !== "false") throw fail("INPUT_INVALID", "deleteDocuments should be true or false");
	return given === "false";
}

function withoutNull(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
