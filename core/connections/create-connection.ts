/** Creates a connection, or changes the existing one with the same source, after the provider has accepted the keys. */

import { fail } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
import { hasSameTags } from "../model/container.ts";
import { newId, type OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Parts } from "../parts.ts";
import type { Connector, SignedIn } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { claimSource } from "./claim-source.ts";
import { type Connection, credentialsPurpose, vaultPurpose, withWholeSync } from "./connection.ts";
import { type ConnectionStore, connectionStore } from "./connection-store.ts";
import { connectorOf } from "./providers.ts";

export interface NewConnection {
	readonly provider: string;
	/** At least one tag. */
	readonly containerTags: readonly string[];
	readonly documentLimit: number;
	/** The metadata of the request, including secrets. */
	readonly metadata: Metadata;
}

export interface CreateConnectionParts extends Pick<Parts, "connectors" | "vault" | "digest" | "world"> {
	readonly records: RecordStore;
	readonly mutex: KeyedMutex;
}

/** Who creates a connection, and what that has given. */
export interface Creation {
	readonly organisation: OrganisationId;
	/** The id of the key. */
	readonly by: string;
	/** Null if the provider needs no sign-in. */
	readonly signedIn: SignedIn | null;
	/**
	 * When the provider gave that, by the steady clock, which nobody sets while the program runs. After a restart it begins at the wall clock,
	 * and servers have one each, so that only times close to each other are compared. It also tells a sign-in that is stored again after a kill.
	 */
	readonly at: Date;
	/** The id, if a new connection is made. */
	readonly id: string;
}

/** What became of a request; `dropped` is all of one whose sign-in is older than that of the connection. */
export interface Stored {
	readonly connection: Connection;
	readonly outcome: "created" | "changed" | "dropped";
}

/** Sign-ins that end within this time of each other end together. */
const togetherMs = 2 * 60_000;

/** Each try that fails means that the connection was deleted in the middle of it. */
const triesMax = 5;

/** Stores nothing if the provider refuses. */
export async function createOrChange(newConnection: NewConnection, caller: KeyBearer, parts: CreateConnectionParts, signal: AbortSignal) {
	const { connectors, world } = parts;
	const connector = connectorOf(newConnection.provider, connectors);
	const config = connector.configure(newConnection.metadata, newConnection.documentLimit);
	await connector.check?.(config, createStep(world, signal));
	const creation = { organisation: caller.organisation, by: caller.id, signedIn: null, at: world.steadyNow(), id: newId(world.randomBytes) };
	return storeConnection(newConnection, creation, parts);
}

/**
 * Changes the connection with the same source, account and containers; adds one if there is none. Of several that come at the same time, here
 * and on other servers, one adds it. Of sign-ins that end together, the newest is kept.
 * @throws ServiceError `CONNECTIONS_TOO_MANY`
 */
export function storeConnection(newConnection: NewConnection, creation: Creation, parts: CreateConnectionParts) {
	return parts.mutex(creation.organisation, () => store(newConnection, creation, parts));
}

async function store(newConnection: NewConnection, creation: Creation, parts: CreateConnectionParts): Promise<Stored> {
	const { connectors, records, world } = parts;
	const { provider, containerTags } = newConnection;
	const connections = connectionStore(records, world);
	const source = sourceOf(newConnection, connectorOf(provider, connectors), creation.signedIn?.account ?? null);
	for (let tries = 0; tries < triesMax; tries++) {
		const existing = await liveConnections(connections);
		const same = existing.find((current) => current.source === source && hasSameTarget(current, newConnection));
		if (same === undefined) demandRoom(existing);
		const id = same?.id ?? (await claimSource({ provider, containerTags, source }, creation.id, parts));
		const connection = same === undefined ? connectionOf(id, source, newConnection, creation, parts) : null;
		if (connection !== null && (await connections.add(connection))) return { connection, outcome: "created" };
		let outcome: Stored["outcome"] = "changed";
		const changed = await connections.amend(id, (current) => {
			if (current.deletion !== null) return null;
			outcome = isNewer(current, creation) ? "dropped" : "changed";
			const isSettled = outcome === "dropped" || isStored(current, creation);
			return isSettled ? current : { ...withWholeSync(current), ...newFields(current, newConnection, creation, parts) };
		});
		if (changed !== null) return { connection: changed, outcome };
		// It was deleted meanwhile.
	}
	throw fail("CONNECTION_CONTESTED");
}

function connectionOf(id: string, source: string, newConnection: NewConnection, creation: Creation, parts: CreateConnectionParts): Connection {
	const { provider, containerTags } = newConnection;
	const fields = newFields({ id, chosen: null }, newConnection, creation, parts);
	return {
		...fields,
		id,
		provider,
		containerTags,
		source,
		chosen: null,
		by: creation.by,
		createdAt: parts.world.now().toISOString(),
		runs: [],
		deletion: null,
	};
}

/** What a request sets, whether the connection is new or not. */
function newFields({ id, chosen }: Pick<Connection, "id" | "chosen">, newConnection: NewConnection, { signedIn, at }: Creation, parts: CreateConnectionParts) {
	const { connectors, vault, world } = parts;
	const { provider, documentLimit, metadata } = newConnection;
	const connector = connectorOf(provider, connectors);
	const config = connector.configure(metadata, documentLimit);
	return {
		documentLimit,
		metadata: withoutSecrets(metadata, connector),
		sealed: vault.seal(JSON.stringify(chosen === null ? config : (connector.resources?.choose(config, chosen) ?? config)), vaultPurpose(id)),
		...(signedIn !== null && {
			signedIn: { account: signedIn.account, credentials: vault.seal(JSON.stringify(signedIn.credentials), credentialsPurpose(id)), at: at.toISOString() },
		}),
		nextSyncAt: world.now().toISOString(),
	};
}

/** Whether somebody has signed in to it later, and that works. A time further ahead was told by a clock that was wrong. */
function isNewer({ signedIn, nextSyncAt }: Connection, { at }: Creation): boolean {
	const laterMs = signedIn?.at === undefined ? 0 : Date.parse(signedIn.at) - at.getTime();
	return laterMs > 0 && laterMs < togetherMs && nextSyncAt !== null;
}

/** A job that was killed stores the same again, and what it has may have been refreshed since. */
function isStored({ signedIn }: Connection, { at }: Creation): boolean {
	return signedIn?.at === at.toISOString();
}

/** The connection that a sign-in is expected to mend: the newest with this source, whatever its account is. Null if there is none: one with a token of its own stays as it is. */
export async function findToMend(newConnection: NewConnection, connector: Connector, connections: ConnectionStore): Promise<Connection | null> {
	const existing = await liveConnections(connections);
	const matches = existing.filter(
		(current) =>
			current.signedIn !== undefined &&
			hasSameTarget(current, newConnection) &&
			current.source === sourceOf(newConnection, connector, current.signedIn.account),
	);
	if (matches.length === 0) demandRoom(existing);
	return matches[0] ?? null;
}

/** The newest first: of several of one account, which merged containers leave, a link names the one that is mended in the end. */
async function liveConnections(connections: ConnectionStore): Promise<readonly Connection[]> {
	const live = (await connections.list()).filter(({ deletion }) => deletion === null);
	return live.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

function hasSameTarget(current: Connection, { provider, containerTags }: NewConnection): boolean {
	return current.provider === provider && hasSameTags(current.containerTags, containerTags);
}

function demandRoom(existing: readonly Connection[]): void {
	if (existing.length >= limits.connectionsMax) throw fail("CONNECTIONS_TOO_MANY", limits.connectionsMax);
}

/** Identifies what a connection reads. It does not depend on keys or on the document limit. */
function sourceOf({ metadata }: NewConnection, connector: Connector, account: SignedIn["account"] | null): string {
	const config = connector.configure(metadata, limits.connectionDocumentsMax);
	const parts = { ...withoutSecrets(config, connector), ...(account !== null && { account: account.id }) };
	return JSON.stringify(Object.entries(parts).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutSecrets<Value>(values: Readonly<Record<string, Value>>, { secrets }: Connector): Readonly<Record<string, Value>> {
	return Object.fromEntries(Object.entries(values).filter(([key]) => !secrets.includes(key)));
}
