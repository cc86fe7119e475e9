/** A client's request → a connection that the service has accepted: a new one, or the known one with the same source. */

import { fail } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
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
	/** At least one. */
	readonly containerTags: readonly string[];
	readonly documentLimit: number;
	/** With secrets. */
	readonly metadata: Metadata;
}

export interface SettleParts extends Pick<Parts, "connectors" | "vault" | "world"> {
	readonly store: ConnectionStore;
	readonly oneAtATime: KeyedMutex;
}

/** When the service refuses, nothing is stored. */
export async function settle(wanted: NewConnection, caller: KeyBearer, parts: SettleParts, signal: AbortSignal) {
	const { connectors, world, oneAtATime } = parts;
	const connector = connectorOf(wanted.provider, connectors);
	const config = connector.configure(wanted.metadata, wanted.documentLimit);
	await connector.check?.(config, createStep(world, signal));
	return oneAtATime(caller.organisation, () => keep(wanted, connector, config, caller, parts));
}

async function keep(wanted: NewConnection, connector: Connector, config: ConnectorConfig, caller: KeyBearer, { store, vault, world }: SettleParts) {
	const { provider, containerTags, documentLimit } = wanted;
	const source = sourceOf(wanted, connector);
	const alive = (await store.list()).filter(({ deletion }) => deletion === null);
	const same = alive.find((known) => known.provider === provider && known.source === source && isSame(known.containerTags, containerTags));
	const now = world.now().toISOString();
	const given = (id: string, chosen: Connection["chosen"]) => ({
		documentLimit,
		metadata: withoutSecrets(wanted.metadata, connector),
		sealed: vault.seal(JSON.stringify(chosen === null ? config : (connector.resources?.choose(config, chosen) ?? config)), vaultPurpose(id)),
		nextSyncAt: now,
	});
	const changed =
		same === undefined ? null : await store.amend(same.id, (known) => (known.deletion === null ? { ...known, ...given(known.id, known.chosen) } : null));
	if (changed !== null) return { connection: changed, isNew: false };
	if (alive.length >= limits.connectionsMax) throw fail("CONNECTIONS_TOO_MANY", limits.connectionsMax);
	const id: string = newId(world.randomBytes);
	const connection: Connection = {
		...given(id, null),
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
	await store.add(connection);
	return { connection, isNew: true };
}

/** The same for other keys and another limit. */
function sourceOf({ metadata }: NewConnection, connector: Connector): string {
	const config = connector.configure(metadata, limits.connectionDocumentsMax);
	return JSON.stringify(Object.entries(withoutSecrets(config, connector)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutSecrets<Value>(values: Readonly<Record<string, Value>>, { secrets }: Connector): Readonly<Record<string, Value>> {
	return Object.fromEntries(Object.entries(values).filter(([key]) => !secrets.includes(key)));
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((tag) => b.includes(tag));
}
