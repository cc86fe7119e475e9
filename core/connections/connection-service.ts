/** What the server may ask about connections. Creating and deleting them is for administrators. */

import { authorize } from "../access/authorize.ts";
import { boundsOf } from "../access/bounds.ts";
import { pagesByPrefix } from "../access/find-document.ts";
import { fail } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
import type { Document } from "../model/document.ts";
import { syncedPrefix } from "../model/reserved-custom-ids.ts";
import type { Parts } from "../parts.ts";
import type { ConnectorResources, Resource, ResourcePage } from "../plugin/contract.ts";
import type { AuditEventType, LogEvent } from "../ports/event-log.ts";
import { createKeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import type { Notifier } from "../runtime/notifier.ts";
import { removeSynced } from "./clear-away.ts";
import { type Connection, openConfig, vaultPurpose } from "./connection.ts";
import { type NewConnection, settle } from "./create-connection.ts";
import { openConnections } from "./open-connections.ts";
import { connectorOf, demandProvider, providersOf } from "./providers.ts";

/** Null means any provider; of container tags a connection has to have all. */
export interface ConnectionWish {
	readonly provider: string | null;
	readonly containerTags: readonly string[];
}

export interface ConnectionService {
	/** Whether connections may be of this provider: then it is no connection's id. */
	readonly isProvider: (name: string) => boolean;
	/**
	 * Asks the service whether it accepts us, and begins the first sync. Creating the same connection again changes it.
	 * Throws `PROVIDER_UNKNOWN`, `CONNECTOR_MISSING`, `CONNECTIONS_TOO_MANY`, and errors of the connector.
	 */
	readonly create: (caller: KeyBearer, wanted: NewConnection, signal: AbortSignal) => Promise<Connection>;
	/** The newest first. Throws `PROVIDER_UNKNOWN`, and `CONTAINER_FORBIDDEN` for a container beyond the key, as all that follow. */
	readonly list: (caller: KeyBearer, wish: ConnectionWish) => Promise<readonly Connection[]>;
	/** Throws `CONNECTION_MISSING`. */
	readonly get: (caller: KeyBearer, id: string) => Promise<Connection>;
	/** The newest. Throws `PROVIDER_UNKNOWN`, `CONNECTION_MISSING`. */
	readonly find: (caller: KeyBearer, wish: ConnectionWish) => Promise<Connection>;
	/** With its documents, unless they are to be kept. A sync that is running stops. Throws `CONNECTION_MISSING`. */
	readonly remove: (caller: KeyBearer, id: string, keepsDocuments: boolean) => Promise<Connection>;
	/** The only one. Throws `PROVIDER_UNKNOWN`, `CONNECTION_MISSING`, `CONNECTION_AMBIGUOUS`. */
	readonly removeNamed: (caller: KeyBearer, wish: ConnectionWish, keepsDocuments: boolean) => Promise<Connection>;
	/** What they have brought so far, by the keys of the connector. Throws `PROVIDER_UNKNOWN`. */
	readonly documents: (caller: KeyBearer, wish: ConnectionWish) => Promise<readonly Document[]>;
	/** The resources a user can choose from. Throws `CONNECTION_MISSING`, `CONNECTION_WITHOUT_RESOURCES`. */
	readonly resources: (caller: KeyBearer, id: string, page: ResourcePage, signal: AbortSignal) => ReturnType<ConnectorResources["list"]>;
	/** Nothing but these is synced from now on, beginning at once. Throws `CONNECTION_MISSING`, `CONNECTION_WITHOUT_RESOURCES`. */
	readonly choose: (caller: KeyBearer, id: string, chosen: readonly Resource[]) => Promise<Connection>;
	/** Begins a sync of each. Throws `PROVIDER_UNKNOWN`. @returns how many there are */
	readonly import: (caller: KeyBearer, wish: ConnectionWish) => Promise<number>;
}

type ServiceParts = Pick<Parts, "storage" | "connectors" | "vault" | "world">;

const documentsAtOnce = 500;

export function createConnectionService(parts: ServiceParts, notifier: Pick<Notifier, "notify">): ConnectionService {
	const { storage, connectors, vault, world } = parts;
	/** A client that got no answer asks again, and both are under way at once. */
	const oneAtATime = createKeyedMutex();
	const open = (caller: KeyBearer) => openConnections(storage, caller, world);

	async function note(caller: KeyBearer, type: AuditEventType, { id, provider, containerTags }: Connection, facts: LogEvent["facts"]): Promise<void> {
		const event = { type, at: world.now(), subject: id, containerTags, facts: { by: caller.id, provider, ...facts } };
		await authorize(storage, caller).events.append(event);
	}

	async function begin(caller: KeyBearer, { id }: Connection): Promise<void> {
		await storage.jobs.add(newJob("sync", id, caller.organisation, world));
		notifier.notify();
	}

	const list: ConnectionService["list"] = async (caller, { provider, containerTags }) => {
		if (provider !== null) demandProvider(provider, connectors);
		if (caller.grants !== null) boundsOf(caller.grants).demandSeen(containerTags);
		const wanted = (await open(caller).list()).filter(
			(known) =>
				known.deletion === null && (provider === null || known.provider === provider) && containerTags.every((tag) => known.containerTags.includes(tag)),
		);
		return wanted.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
	};

	const get: ConnectionService["get"] = async (caller, id) => {
		const connection = await open(caller).get(id);
		if (connection === null || connection.deletion !== null) throw fail("CONNECTION_MISSING");
		return connection;
	};

	const resourcesOf = ({ provider }: Connection): ConnectorResources => {
		const { resources } = connectorOf(provider, connectors);
		if (resources === undefined) throw fail("CONNECTION_WITHOUT_RESOURCES", provider);
		return resources;
	};

	const remove: ConnectionService["remove"] = async (caller, id, keepsDocuments) => {
		const connection = await get(caller, id);
		const marked = await open(caller).amend(id, (known) => (known.deletion === null ? { ...known, deletion: { keepsDocuments } } : null));
		if (marked === null) throw fail("CONNECTION_MISSING");
		await note(caller, "connection.deleted", connection, { keepsDocuments });
		// The job removes what a running sync is writing now, after that sync has ended.
		await begin(caller, connection);
		if (!keepsDocuments) await removeSynced(id, authorize(storage, caller), world);
		return connection;
	};

	return {
		isProvider: (name) => providersOf(connectors).includes(name),
		list,
		get,
		remove,
		create: async (caller, wanted, signal) => {
			const { connection, isNew } = await settle(wanted, caller, { ...parts, store: open(caller), oneAtATime }, signal);
			await note(caller, isNew ? "connection.created" : "connection.changed", connection, {});
			await begin(caller, connection);
			return connection;
		},
		find: async (caller, wish) => {
			const [newest] = await list(caller, wish);
			if (newest === undefined) throw fail("CONNECTION_MISSING");
			return newest;
		},
		removeNamed: async (caller, wish, keepsDocuments) => {
			const named = await list(caller, wish);
			const [only] = named;
			if (only === undefined) throw fail("CONNECTION_MISSING");
			if (named.length > 1) throw fail("CONNECTION_AMBIGUOUS", only.provider, named.map(({ id }) => id).join(", "));
			return remove(caller, only.id, keepsDocuments);
		},
		documents: async (caller, wish) => {
			const { documents } = authorize(storage, caller);
			const found: Document[] = [];
			for (const { id } of await list(caller, wish)) {
				for await (const page of pagesByPrefix(syncedPrefix(id), documentsAtOnce, documents)) found.push(...page);
			}
			return found;
		},
		resources: async (caller, id, page, signal) => {
			const connection = await get(caller, id);
			return resourcesOf(connection).list(openConfig(connection, vault), page, createStep(world, signal));
		},
		choose: async (caller, id, chosen) => {
			const connection = await get(caller, id);
			const { choose } = resourcesOf(connection);
			const now = world.now().toISOString();
			const seal = (known: Connection) => vault.seal(JSON.stringify(choose(openConfig(known, vault), chosen)), vaultPurpose(id));
			const changed = await open(caller).amend(id, (known) => (known.deletion === null ? { ...known, chosen, sealed: seal(known), nextSyncAt: now } : null));
			if (changed === null) throw fail("CONNECTION_MISSING");
			await note(caller, "connection.changed", changed, { resources: chosen.length });
			await begin(caller, changed);
			return changed;
		},
		import: async (caller, wish) => {
			const named = await list(caller, wish);
			if (caller.grants !== null) for (const { containerTags } of named) boundsOf(caller.grants).demandOwned(containerTags);
			for (const connection of named) await begin(caller, connection);
			return named.length;
		},
	};
}
