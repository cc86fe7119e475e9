/** Creates a connection, or changes the existing one with the same source, after the provider has accepted the keys. */

import { fail } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
import { hasSameTags } from "../model/container.ts";
import { newId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Parts } from "../parts.ts";
import type { Connector, ConnectorConfig } from "../plugin/contract.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { type Connection, vaultPurpose } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { connectorOf } from "./providers.ts";

export interface NewConnection {
	readonly provider: string;
	/** At least one tag. */
	readonly containerTags: readonly string[];
	readonly documentLimit: number;
	/** The metadata of the request, including secrets. */
	readonly metadata: Metadata;
}

export interface CreateConnectionParts extends Pick<Parts, "connectors" | "vault" | "world"> {
	readonly store: ConnectionStore;
	readonly mutex: KeyedMutex;
}

/** Stores nothing if the provider refuses. */
export async function createOrChange(newConnection: NewConnection, caller: KeyBearer, parts: CreateConnectionParts, signal: AbortSignal) {
	const { connectors, world, mutex } = parts;
	const connector = connectorOf(newConnection.provider, connectors);
	const config = connector.configure(newConnection.metadata, newConnection.documentLimit);
	await connector.check?.(config, createStep(world, signal));
	return mutex(caller.organisation, () => store(newConnection, connector, config, caller, parts));
}

async function store(
	newConnection: NewConnection,
	connector: Connector,
	config: ConnectorConfig,
	caller: KeyBearer,
	{ store: connections, vault, world }: CreateConnectionParts,
) {
	const { provider, containerTags, documentLimit } = newConnection;
	const source = sourceOf(newConnection, connector);
	const existing = (await connections.list()).filter(({ deletion }) => deletion === null);
	const same = existing.find((current) => current.provider === provider && current.source === source && hasSameTags(current.containerTags, containerTags));
	const now = world.now().toISOString();
	const newFields = (id: string, chosen: Connection["chosen"]) => ({
		documentLimit,
		metadata: withoutSecrets(newConnection.metadata, connector),
		sealed: vault.seal(JSON.stringify(chosen === null ? config : (connector.resources?.choose(config, chosen) ?? config)), vaultPurpose(id)),
		nextSyncAt: now,
	});
	const changed =
		same === undefined
			? null
			: await connections.amend(same.id, (current) => (current.deletion === null ? { ...current, ...newFields(current.id, current.chosen) } : null));
	if (changed !== null) return { connection: changed, isNew: false };
	if (existing.length >= limits.connectionsMax) throw fail("CONNECTIONS_TOO_MANY", limits.connectionsMax);
	const id: string = newId(world.randomBytes);
	const connection: Connection = {
		...newFields(id, null),
		id,
		provider,
		containerTags,
		source,
		chosen: null,
		by: caller.id,
		createdAt: now,
		runs: [],
		deletion: null,
	};
	await connections.add(connection);
	return { connection, isNew: true };
}

/** Identifies what a connection reads. It does not depend on keys or on the document limit. */
function sourceOf({ metadata }: NewConnection, connector: Connector): string {
	const config = connector.configure(metadata, limits.connectionDocumentsMax);
	return JSON.stringify(Object.entries(withoutSecrets(config, connector)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutSecrets<Value>(values: Readonly<Record<string, Value>>, { secrets }: Connector): Readonly<Record<string, Value>> {
	return Object.fromEntries(Object.entries(values).filter(([key]) => !secrets.includes(key)));
}
