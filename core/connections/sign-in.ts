/** Sign-in at a provider: a link for the browser, and the callback that makes or mends a connection. */

import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
import { newId, type OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { Connector, ConnectorSignIn, Credentials, SignInAttempt } from "../plugin/contract.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { openPending, pendingPurpose } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";
import { findToMend, type NewConnection, type Stored, storeConnection } from "./create-connection.ts";
import { endRefused, type Given } from "./end-sign-in.ts";
import { connectorOf } from "./providers.ts";

/** Where the browser goes during a sign-in. */
export interface SignInRoute {
	/** The URL of this server to which the provider sends the browser back. */
	readonly redirectUri: string;
	/** Where the browser is sent at the end; null for a page of this server. The caller has checked that it is allowed. */
	readonly redirectsTo: string | null;
}

export interface SignInLink {
	/** The id that the connection will have, unless somebody signs in with an account of which there is a connection already. */
	readonly id: string;
	readonly link: string;
	/** What is typed in there; null if the browser comes back by itself. */
	readonly userCode: string | null;
	readonly lifeMs: number;
	readonly expiresAt: Date;
	readonly redirectsTo: string | null;
}

export interface FinishedSignIn {
	readonly redirectsTo: string | null;
	/** The connection, or why there is none. */
	readonly result: (Stored & { readonly organisation: OrganisationId }) | ServiceError;
}

export interface SignInParts extends Pick<Parts, "storage" | "connectors" | "vault" | "digest" | "world"> {
	readonly mutex: KeyedMutex;
}

/** What is stored, encrypted, until the browser comes back. */
interface Pending extends SignInRoute {
	readonly newConnection: NewConnection;
	readonly by: string;
	readonly attempt: Omit<SignInAttempt, "state">;
}

type SigningConnector = Connector & { readonly signIn: ConnectorSignIn };

const statePurpose = "sign-in state";
/** How long a sign-in that a browser came back for counts as under way; after a kill it does so in vain. */
const finishingMs = 2 * 60_000;

/** Where a sign-in may begin. @returns what it will mend, if it will. @throws ServiceError `SIGN_INS_TOO_MANY`, `CONNECTIONS_TOO_MANY`, and those of `configure` */
export async function demandRoomForSignIn(newConnection: NewConnection, connector: SigningConnector, caller: KeyBearer, { storage, world }: SignInParts) {
	connector.configure(newConnection.metadata, newConnection.documentLimit);
	const { records } = storage.organisation(caller.organisation);
	const known = await findToMend(newConnection, connector, connectionStore(records, world));
	if ((await records.list("sign-in", null, limits.signInsMax, world.now())).length >= limits.signInsMax) throw fail("SIGN_INS_TOO_MANY", limits.signInsMax);
	return { records, known };
}

/** Nothing of a connection is stored yet. @throws ServiceError `SIGN_INS_TOO_MANY`, `CONNECTIONS_TOO_MANY`, and those of `configure` */
export async function beginSignIn(
	newConnection: NewConnection,
	connector: SigningConnector,
	route: SignInRoute,
	caller: KeyBearer,
	parts: SignInParts,
): Promise<SignInLink> {
	const { vault, world } = parts;
	const { records, known } = await demandRoomForSignIn(newConnection, connector, caller, parts);
	const now = world.now();
	const id: string = newId(world.randomBytes);
	// RFC 7636 demands 43 characters at least; an id has 22.
	const verifier = `${newId(world.randomBytes)}${newId(world.randomBytes)}`;
	const attempt = { redirectUri: route.redirectUri, verifier, accountHint: known?.signedIn?.account.address ?? null };
	// Encrypted, so that it shows nothing of the organisation and only this server can have made it.
	const state = vault.seal(JSON.stringify([caller.organisation, id]), statePurpose);
	const link = await connector.signIn.begin({ ...attempt, state });
	const expiresAt = new Date(now.getTime() + limits.signInMs);
	const pending: Pending = { ...route, newConnection, by: caller.id, attempt };
	await records.put("sign-in", id, vault.seal(JSON.stringify(pending), pendingPurpose(id)), { expected: null, expiresAt, now });
	return { id: known?.id ?? id, link, userCode: null, lifeMs: limits.signInMs, expiresAt, redirectsTo: route.redirectsTo };
}

/**
 * A sign-in is finished once, whether it succeeds or not. An account of which there is a connection with the same source gets new
 * credentials for that one, and keeps its documents. What the provider has given to a sign-in that is then refused is revoked.
 * @param callback the query with which the browser came back.
 * @throws ServiceError `SIGN_IN_UNKNOWN`
 */
export async function finishSignIn(provider: string, callback: URLSearchParams, parts: SignInParts, signal: AbortSignal): Promise<FinishedSignIn> {
	const { storage, connectors, world } = parts;
	const state = callback.get("state") ?? "";
	const { organisation, id, pending } = await takePending(provider, state, parts);
	const { newConnection, by, attempt, redirectsTo } = pending;
	const { records } = storage.organisation(organisation);
	// It expires where that fails.
	const forget = () => records.remove("sign-in", id).catch(() => false);
	const came: { given: (Given & { readonly at: Date }) | null } = { given: null };
	const gave = (credentials: Credentials) => {
		came.given = { credentials, account: null, at: world.steadyNow() };
	};
	try {
		const { signIn } = connectorOf(provider, connectors);
		if (signIn === undefined) throw fail("SIGN_IN_UNKNOWN");
		const signedIn = await signIn.finish({ ...attempt, state }, callback, createStep(world, signal), gave);
		const at = came.given?.at ?? world.steadyNow();
		came.given = { ...signedIn, at };
		const stored = await storeConnection(newConnection, { organisation, by, signedIn, at, id }, { ...parts, records });
		await forget();
		return { redirectsTo, result: { organisation, ...stored } };
	} catch (thrown) {
		await forget();
		if (came.given !== null) await endRefused(id, provider, came.given, parts);
		signal.throwIfAborted();
		return { redirectsTo, result: asServiceError(thrown) };
	}
}

async function takePending(provider: string, state: string, { storage, vault, world }: SignInParts) {
	const opened = vault.open(state, statePurpose);
	if (opened === null) throw fail("SIGN_IN_UNKNOWN");
	const [organisation, id] = JSON.parse(opened) as [OrganisationId, string];
	const { records } = storage.organisation(organisation);
	const stored = await records.get("sign-in", id, world.now());
	const pending = stored === null ? null : openPending<Pending>(id, stored.value, vault);
	// One with a code has no browser that could come back.
	if (pending?.attempt === undefined || pending.newConnection.provider !== provider) throw fail("SIGN_IN_UNKNOWN");
	// Of two that come at the same time, one writes it. Until it is finished, others see that it is under way.
	const { attempt: _, ...taken } = pending;
	const now = world.now();
	const options = { expected: stored?.version ?? 0, expiresAt: new Date(now.getTime() + finishingMs), now };
	if ((await records.put("sign-in", id, vault.seal(JSON.stringify(taken), pendingPurpose(id)), options)) === null) throw fail("SIGN_IN_UNKNOWN");
	return { organisation, id, pending };
}
