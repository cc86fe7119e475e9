/** Adds an item of a connector as a document, in the same way as a document of a client. */

import { fail } from "../errors/fail.ts";
import { receive } from "../ingest/receive.ts";
import type { Content } from "../model/content.ts";
import { type DocumentId, newId, type OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Metadata } from "../model/metadata.ts";
import { syncedCustomId } from "../model/reserved-custom-ids.ts";
import type { ConnectorItem, ItemContent } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import type { Connection } from "./connection.ts";

export interface ItemContext {
	/** Throws if the connection was deleted, so that no document is added after its removal. */
	readonly currentConnection: () => Promise<Connection>;
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly world: World;
}

/** The container tags that the API accepts: a client could not ask for a container with any other tag. */
const containerTagPattern = new RegExp(`^[\\w:.-]{1,${limits.containerTagCharactersMax}}$`);

/** Adds the document, or changes it if the item was added before; does nothing if the item is unchanged. Durable when it resolves. */
export async function putItem(item: ConnectorItem, { currentConnection, organisation, tenant, world }: ItemContext): Promise<void> {
	const content = await contentOf(item.content, tenant, world);
	// Read last: to store a large file takes long, and its containers may be merged meanwhile.
	const connection = await currentConnection();
	if (item.containerTag !== null && !containerTagPattern.test(item.containerTag)) {
		throw fail("PLUGIN_MALFORMED", connection.provider, `${JSON.stringify(item.containerTag.slice(0, 100))} is not a container tag`);
	}
	const { containerTags, mergedTags = [] } = connection;
	const request = {
		content,
		customId: syncedCustomId(connection.id, item.key),
		...(item.containerTag === null ? { containerTags, mergedTags } : { containerTags: [item.containerTag] }),
		metadata: metadataOf(item, connection),
		filepath: null,
		taskType: null,
		dreaming: "dynamic",
	} as const;
	const document = await receive(request, organisation, tenant, world);
	// If the bytes are the same as before, the document keeps its old blob and the new one is unused.
	const isUnused = content.kind === "file" && (document.content.kind !== "file" || document.content.blob !== content.blob);
	if (isUnused) await tenant.blobs.remove(content.blob);
}

/**
 * The connection's metadata applies to all its items; metadata of a single item takes precedence. A service may tell texts with U+0000, which
 * PostgreSQL cannot store.
 */
function metadataOf({ title, metadata }: ConnectorItem, connection: Connection): Metadata {
	const all = { source: connection.provider, ...connection.metadata, ...(title === null ? {} : { title }), ...metadata };
	return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, typeof value === "string" ? value.replaceAll("\u0000", "") : value]));
}

async function contentOf(content: ItemContent, { blobs }: TenantStore, world: World): Promise<Content> {
	if (content.kind !== "file") return content;
	const { bytes, fileName, claimedMediaType, charset, address } = content;
	const blob = newId<DocumentId>(world.randomBytes);
	const stored = await blobs.put(blob, onePiece(bytes), limits.fileBytesMax);
	return { kind: "file", blob, fileName, claimedMediaType, ...stored, ...(charset !== null && { charset }), ...(address !== null && { address }) };
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
	yield bytes;
}
