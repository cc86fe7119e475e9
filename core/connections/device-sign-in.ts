/**
 * Sign-in with a code that a person types in at another device. No browser comes back: a job asks the provider until somebody has signed in, as
 * often as the provider allows.
 */

import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
import { newId, type OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { Connector, ConnectorSignIn, Credentials, DeviceCode, DeviceSignIn, SignedIn } from "../plugin/contract.ts";
import type { NewJob } from "../ports/job-queue.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { Vault } from "../ports/vault.ts";
import type { World } from "../ports/world.ts";
import { dueAt, newJob } from "../runtime/new-job.ts";
import { announceSignIn } from "./announce-sign-in.ts";
import { openPending, pendingPurpose } from "./connection.ts";
import { type NewConnection, storeConnection } from "./create-connection.ts";
import { endRefused } from "./end-sign-in.ts";
import { connectorOf } from "./providers.ts";
import { demandRoomForSignIn, type SignInLink, type SignInParts } from "./sign-in.ts";

/** What is stored, encrypted, until somebody has signed in. */
interface PendingCode {
	readonly newConnection: NewConnection;
	readonly by: string;
	readonly code: DeviceCode;
	readonly intervalMs: number;
	/** Why nobody will sign in; it is told to whoever asks for the connection. */
	readonly refusal?: string;
	/** A code is good for one answer: what it gave is stored before it is used. */
	readonly credentials?: Credentials;
	/** When the code gave it. */
	readonly at?: string;
	readonly account?: SignedIn["account"];
}

/** RFC 8628, section 3.5: by so much longer is the interval after `slow_down`. */
const slowerMs = 5_000;
/** The same section asks to wait longer where the service does not answer. */
const intervalMaxMs = 60_000;

/** @throws ServiceError `CONNECTION_INVALID` if the provider has no such sign-in, and those of `demandRoomForSignIn` */
export async function beginDeviceSignIn(
	newConnection: NewConnection,
	connector: Connector & { readonly signIn: ConnectorSignIn },
	caller: KeyBearer,
	parts: SignInParts,
	signal: AbortSignal,
): Promise<SignInLink> {
	const { storage, vault, world } = parts;
	const { device } = connector.signIn;
	if (device === undefined) throw fail("CONNECTION_INVALID", connector.name, "signIn", "it has no sign-in with a code; leave signIn out");
	const { records, known } = await demandRoomForSignIn(newConnection, connector, caller, parts);
	const code = await device.begin(createStep(world, signal));
	const id: string = newId(world.randomBytes);
	const { userCode, link, intervalMs, lifeMs } = code;
	const expiresAt = new Date(world.now().getTime() + lifeMs);
	await putPending(id, { newConnection, by: caller.id, code, intervalMs }, expiresAt, records, { vault, world });
	await storage.jobs.add(nextPoll(id, intervalMs, caller.organisation, world));
	return { id: known?.id ?? id, link, userCode, lifeMs, expiresAt, redirectsTo: null };
}

/** Asks the provider once. @returns the next time; null when there is none */
export async function pollSignIn(id: string, organisation: OrganisationId, parts: SignInParts, signal: AbortSignal): Promise<NewJob | null> {
	const { storage, vault, world } = parts;
	const { records } = storage.organisation(organisation);
	const stored = await records.get("sign-in", id, world.now());
	const pending = stored === null ? null : openPending<PendingCode>(id, stored.value, vault);
	// It has expired, was finished by another server, or was refused.
	if (stored?.expiresAt == null || pending?.code === undefined || pending.refusal !== undefined) return null;
	let [current, expiresAt] = [pending, stored.expiresAt];
	const amend = (more: Partial<PendingCode>) => {
		current = { ...current, ...more };
		return putPending(id, current, expiresAt, records, parts);
	};
	const { code, intervalMs, newConnection } = pending;
	const came: { given: Pick<PendingCode, "credentials" | "at"> } = { given: {} };
	const gave = (credentials: Credentials) => {
		came.given = { credentials, at: world.steadyNow().toISOString() };
	};
	try {
		const device = deviceOf(newConnection.provider, parts);
		if (pending.credentials === undefined) {
			// It has a signal of its own, which nobody aborts: a code whose answer was not heard is used up all the same.
			const answer = await device.poll(code, createStep(world, new AbortController().signal), gave);
			if (answer === "pending") return nextPoll(id, intervalMs, organisation, world);
			if (answer === "slower") return await askLater(intervalMs + slowerMs);
			// The time of the code says nothing of what it gave.
			expiresAt = new Date(world.now().getTime() + limits.signInMs);
			await amend({ at: world.steadyNow().toISOString(), ...came.given, credentials: answer });
		}
		const { credentials, account } = current;
		if (credentials === undefined) return null;
		if (account === undefined) await amend({ account: await device.account(credentials, createStep(world, signal)) });
		await conclude(id, organisation, current, parts);
		return null;
	} catch (thrown) {
		signal.throwIfAborted();
		const error = asServiceError(thrown);
		if (error.code === "LEASE_LOST") throw error;
		const { code: reasonCode, message: reason, cause } = error;
		world.log("warn", "somebody could not sign in to a provider", { provider: newConnection.provider, code: reasonCode, reason, cause: String(cause ?? "") });
		const pauseMs = Math.max(error.retryAfterMs ?? 0, error.earliestRetryMs);
		if (!isFinal(error)) return await askLater(Math.max(pauseMs, intervalMs, Math.min(2 * intervalMs, intervalMaxMs)));
		const credentials = current.credentials ?? came.given.credentials;
		if (credentials !== undefined) await endRefused(id, newConnection.provider, { credentials, account: current.account ?? null }, parts);
		await amend({ refusal: error.code === "SIGN_IN_REFUSED" ? String(error.args.at(-1)) : reason });
		return null;
	}

	async function askLater(inMs: number): Promise<NewJob> {
		await amend({ intervalMs: inMs });
		return nextPoll(id, inMs, organisation, world);
	}
}

/** Everything else may pass, or be better on another server; a code that expires ends it. */
function isFinal({ code, kind }: ServiceError): boolean {
	return kind === "invalid" || kind === "forbidden" || kind === "unauthorized" || code === "CONNECTIONS_TOO_MANY";
}

/** A kill in the middle lets it be done again, which changes nothing. */
async function conclude(
	id: string,
	organisation: OrganisationId,
	{ newConnection, by, credentials, account, at }: PendingCode,
	parts: SignInParts,
): Promise<void> {
	if (credentials === undefined || account === undefined) return;
	const { storage, world } = parts;
	const { records } = storage.organisation(organisation);
	const creation = { organisation, by, signedIn: { credentials, account }, at: at === undefined ? world.steadyNow() : new Date(at), id };
	const made = await storeConnection(newConnection, creation, { ...parts, records });
	await announceSignIn(organisation, made, storage, world);
	await records.remove("sign-in", id);
}

/** @throws ServiceError `CONNECTOR_MISSING` on a server without it, or without its app */
function deviceOf(provider: string, { connectors }: Pick<SignInParts, "connectors">): DeviceSignIn {
	const { device } = connectorOf(provider, connectors).signIn ?? {};
	if (device === undefined) throw fail("CONNECTOR_MISSING", provider, "one without sign-ins with a code");
	return device;
}

/** Tells of a connection that is not there yet, or never will be. @throws ServiceError `SIGN_IN_PENDING`, `SIGN_IN_REFUSED` */
export async function demandNoPendingSignIn(
	id: string,
	records: RecordStore,
	{ vault, world }: { readonly vault: Vault; readonly world: World },
): Promise<void> {
	const stored = await records.get("sign-in", id, world.now());
	const pending = stored === null ? null : openPending<PendingCode>(id, stored.value, vault);
	if (pending === null) return;
	const { provider } = pending.newConnection;
	throw pending.refusal === undefined ? fail("SIGN_IN_PENDING", provider) : fail("SIGN_IN_REFUSED", provider, pending.refusal);
}

async function putPending(id: string, pending: PendingCode, expiresAt: Date, records: RecordStore, parts: Pick<SignInParts, "vault" | "world">) {
	const { vault, world } = parts;
	await records.put("sign-in", id, vault.seal(JSON.stringify(pending), pendingPurpose(id)), { expected: null, expiresAt, now: world.now() });
}

function nextPoll(id: string, inMs: number, organisation: OrganisationId, world: World): NewJob {
	return { ...newJob("sign-in", id, organisation, world), notBefore: dueAt(new Date(world.now().getTime() + inMs), world) };
}
