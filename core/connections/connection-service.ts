/** Creates, lists, changes and deletes connections. Only administrators may create and delete them. */

import { authorize, demandOperator } from "../access/authorize.ts";
import { boundsOf } from "../access/bounds.ts";
import { pagesByPrefix } from "../access/find-document.ts";
import { fail, ServiceError } from "../errors/fail.ts";
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
import { accessTokenOf } from "./access-token.ts";
import { announceSignIn, connectionEvent } from "./announce-sign-in.ts";
import { type Connection, openConfig, vaultPurpose, withWholeSync } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";
import { createOrChange, type NewConnection } from "./create-connection.ts";
import { removeSynced } from "./delete-connection.ts";
import { beginDeviceSignIn, demandNoPendingSignIn } from "./device-sign-in.ts";
import { openConnections } from "./open-connections.ts";
import { connectorOf, demandProvider, providersOf } from "./providers.ts";
import { beginSignIn, type FinishedSignIn, finishSignIn, type SignInLink, type SignInRoute } from "./sign-in.ts";

/** A null provider means any. A connection matches only if it has all the container tags. */
export interface ConnectionFilter {
	readonly provider: string | null;
	readonly containerTags: readonly string[];
}

export interface ConnectionService {
	/** Whether this is the name of a provider, and so not the id of a connection. */
	readonly isProvider: (name: string) => boolean;
	/**
	 * Checks that the provider accepts the keys, and starts the first sync. Creating the same connection again changes it. If the provider
	 * needs a sign-in, the result is a link, and the connection is made when somebody has signed in. With `isAtDevice` no browser has to come
	 * back: there is a code to be typed in.
	 * Throws `PROVIDER_UNKNOWN`, `CONNECTOR_MISSING`, `CONNECTIONS_TOO_MANY`, `SIGN_INS_TOO_MANY`, and errors of the connector.
	 * @param route called only if a sign-in is needed.
	 */
	readonly create: (
		caller: KeyBearer,
		newConnection: NewConnection,
		route: () => SignInRoute,
		signal: AbortSignal,
		isAtDevice?: boolean,
	) => Promise<Connection | SignInLink>;
	/** Makes or mends the connection of a sign-in, and starts a sync. Throws `SIGN_IN_UNKNOWN`. */
	readonly finishSignIn: (provider: string, callback: URLSearchParams, signal: AbortSignal) => Promise<FinishedSignIn>;
	/** Newest first. Like all methods with a filter, throws `PROVIDER_UNKNOWN`, and `CONTAINER_FORBIDDEN` for a container outside the grants. */
	readonly list: (caller: KeyBearer, filter: ConnectionFilter) => Promise<readonly Connection[]>;
	/** Throws `CONNECTION_MISSING`, and where somebody is still to sign in `SIGN_IN_PENDING` or `SIGN_IN_REFUSED`. */
	readonly get: (caller: KeyBearer, id: string) => Promise<Connection>;
	/** The newest match. Throws `PROVIDER_UNKNOWN`, `CONNECTION_MISSING`. */
	readonly find: (caller: KeyBearer, filter: ConnectionFilter) => Promise<Connection>;
	/** Deletes a connection, and its documents unless `keepsDocuments`. A running sync stops. Throws `CONNECTION_MISSING`. */
	readonly remove: (caller: KeyBearer, id: string, keepsDocuments: boolean) => Promise<Connection>;
	/** Deletes the only match. Throws `PROVIDER_UNKNOWN`, `CONNECTION_MISSING`, `CONNECTION_AMBIGUOUS`. */
	readonly removeOnly: (caller: KeyBearer, filter: ConnectionFilter, keepsDocuments: boolean) => Promise<Connection>;
	/** All documents that the matching connections have synced so far. Throws `PROVIDER_UNKNOWN`. */
	readonly documents: (caller: KeyBearer, filter: ConnectionFilter) => Promise<readonly Document[]>;
	/** The resources a user can choose from. Throws `CONNECTION_MISSING`, `CONNECTION_WITHOUT_RESOURCES`. */
	readonly resources: (caller: KeyBearer, id: string, page: ResourcePage, signal: AbortSignal) => ReturnType<ConnectorResources["list"]>;
	/** Limits the connection to these resources, and starts a sync. Throws `CONNECTION_MISSING`, `CONNECTION_WITHOUT_RESOURCES`. */
	readonly choose: (caller: KeyBearer, id: string, chosen: readonly Resource[]) => Promise<Connection>;
	/** Starts a sync of every match. Throws `PROVIDER_UNKNOWN`. @returns how many match */
	readonly import: (caller: KeyBearer, filter: ConnectionFilter) => Promise<number>;
}

type ServiceParts = Pick<Parts, "storage" | "connectors" | "vault" | "digest" | "world">;

/** Page size of reads. */
const documentsAtOnce = 500;

export function createConnectionService(parts: ServiceParts, notifier: Pick<Notifier, "notify">): ConnectionService {
	const { storage, connectors, vault, world } = parts;
	/** A client that got no response may repeat its request while the first one is still in progress. */
	const mutex = createKeyedMutex();
	const connectionsOf = (caller: KeyBearer) => openConnections(storage, caller, world);

	async function recordEvent(caller: KeyBearer, type: AuditEventType, connection: Connection, facts: LogEvent["facts"]): Promise<void> {
		await authorize(storage, caller).events.append(connectionEvent(type, connection, caller.id, facts, world));
	}

	async function startSync({ organisation }: Pick<KeyBearer, "organisation">, { id }: Connection): Promise<void> {
		await storage.jobs.add(newJob("sync", id, organisation, world));
		notifier.notify();
	}

	const list: ConnectionService["list"] = async (caller, { provider, containerTags }) => {
		if (provider !== null) demandProvider(provider, connectors);
		if (caller.grants !== null) boundsOf(caller.grants).demandReadable(containerTags);
		const matches = (await connectionsOf(caller).list()).filter(
			(current) =>
				current.deletion === null && (provider === null || current.provider === provider) && containerTags.every((tag) => current.containerTags.includes(tag)),
		);
		return matches.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
	};

	const live: ConnectionService["get"] = async (caller, id) => {
		const connection = await connectionsOf(caller).get(id);
		if (connection !== null && connection.deletion === null) return connection;
		throw fail("CONNECTION_MISSING");
	};

	const get: ConnectionService["get"] = async (caller, id) => {
		try {
			return await live(caller, id);
		} catch (thrown) {
			if (caller.grants === null) await demandNoPendingSignIn(id, storage.organisation(caller.organisation).records, { vault, world });
			throw thrown;
		}
	};

	const resourcesOf = ({ provider }: Connection): ConnectorResources => {
		const { resources } = connectorOf(provider, connectors);
		if (resources === undefined) throw fail("CONNECTION_WITHOUT_RESOURCES", provider);
		return resources;
	};

	const remove: ConnectionService["remove"] = async (caller, id, keepsDocuments) => {
		const connection = await live(caller, id);
		const marked = await connectionsOf(caller).amend(id, (current) => (current.deletion === null ? { ...current, deletion: { keepsDocuments } } : null));
		if (marked === null) throw fail("CONNECTION_MISSING");
		await recordEvent(caller, "connection.deleted", connection, { keepsDocuments });
		// A running sync may still write documents; the job removes those after that sync has ended.
		await startSync(caller, connection);
		if (!keepsDocuments) await removeSynced(id, authorize(storage, caller), world);
		return connection;
	};

	return {
		isProvider: (name) => providersOf(connectors).includes(name),
		list,
		get,
		remove,
		create: async (caller, newConnection, route, signal, isAtDevice = false) => {
			const connector = connectorOf(newConnection.provider, connectors);
			if (connector.readsServer === true) await demandOperator(caller, storage.accounts);
			const { signIn } = connector;
			const needsSignIn = signIn !== undefined && (signIn.isNeeded?.(connector.configure(newConnection.metadata, newConnection.documentLimit)) ?? true);
			if (needsSignIn && isAtDevice) return beginDeviceSignIn(newConnection, { ...connector, signIn }, caller, { ...parts, mutex }, signal);
			if (needsSignIn) return beginSignIn(newConnection, { ...connector, signIn }, route(), caller, { ...parts, mutex });
			const { connection, outcome } = await createOrChange(newConnection, caller, { ...parts, records: authorize(storage, caller).records, mutex }, signal);
			await recordEvent(caller, outcome === "created" ? "connection.created" : "connection.changed", connection, {});
			await startSync(caller, connection);
			return connection;
		},
		finishSignIn: async (provider, callback, signal) => {
			const finished = await finishSignIn(provider, callback, { ...parts, mutex }, signal);
			const { result } = finished;
			if (result instanceof ServiceError) {
				world.log("warn", "somebody could not sign in to a provider", { provider, code: result.code, reason: result.message });
				return finished;
			}
			await announceSignIn(result.organisation, result, storage, world);
			notifier.notify();
			return finished;
		},
		find: async (caller, filter) => {
			const [newest] = await list(caller, filter);
			if (newest === undefined) throw fail("CONNECTION_MISSING");
			return newest;
		},
		removeOnly: async (caller, filter, keepsDocuments) => {
			const matches = await list(caller, filter);
			const [match] = matches;
			if (match === undefined) throw fail("CONNECTION_MISSING");
			if (matches.length > 1) throw fail("CONNECTION_AMBIGUOUS", match.provider, matches.map(({ id }) => id).join(", "));
			return remove(caller, match.id, keepsDocuments);
		},
		documents: async (caller, filter) => {
			const { documents } = authorize(storage, caller);
			const found: Document[] = [];
			for (const { id } of await list(caller, filter)) {
				for await (const page of pagesByPrefix(syncedPrefix(id), documentsAtOnce, documents)) found.push(...page);
			}
			return found;
		},
		resources: async (caller, id, page, signal) => {
			const connection = await live(caller, id);
			const { list: listResources } = resourcesOf(connection);
			const { records } = storage.organisation(caller.organisation);
			const access = accessTokenOf(connection, connectorOf(connection.provider, connectors), { records, vault, world });
			return listResources(openConfig(connection, vault), page, { ...createStep(world, signal), ...access });
		},
		choose: async (caller, id, chosen) => {
			const connection = await live(caller, id);
			const { choose } = resourcesOf(connection);
			const now = world.now().toISOString();
			const encrypt = (current: Connection) => vault.seal(JSON.stringify(choose(openConfig(current, vault), chosen)), vaultPurpose(id));
			const changed = await connectionsOf(caller).amend(id, (current) =>
				current.deletion === null ? { ...withWholeSync(current), chosen, sealed: encrypt(current), nextSyncAt: now } : null,
			);
			if (changed === null) throw fail("CONNECTION_MISSING");
			await recordEvent(caller, "connection.changed", changed, { resources: chosen.length });
			await startSync(caller, changed);
			return changed;
		},
		import: async (caller, filter) => {
			const matches = await list(caller, filter);
			if (caller.grants !== null) for (const { containerTags } of matches) boundsOf(caller.grants).demandAllWritable(containerTags);
			// A key with grants may write no connection; that everything is looked at is all that changes here.
			const connections = connectionStore(storage.organisation(caller.organisation).records, world);
			for (const connection of matches) {
				await connections.amend(connection.id, withWholeSync);
				await startSync(caller, connection);
			}
			return matches.length;
		},
	};
}
