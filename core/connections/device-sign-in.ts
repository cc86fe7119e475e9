/**
 * Sign-in with a code that a person types in at another device. No browser comes back: a job asks the provider until somebody has signed in, as
 * often as the provider allows.
 */

import { asServiceError, fail, type ServiceError } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { KeyBearer } from "../model/caller.ts";
import { newId, type OrganisationId } from "../model/id.ts";
import type { Connector, ConnectorSignIn, DeviceCode, SignedIn } from "../plugin/contract.ts";
import type { NewJob } from "../ports/job-queue.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { Vault } from "../ports/vault.ts";
import type { World } from "../ports/world.ts";
import { dueAt, newJob } from "../runtime/new-job.ts";
import { announceSignIn } from "./announce-sign-in.ts";
import { connectionStore } from "./connection-store.ts";
import { type NewConnection, storeConnection } from "./create-connection.ts";
import { connectorOf } from "./providers.ts";
import { demandRoomForSignIn, openPending, pendingPurpose, type SignInLink, type SignInParts } from "./sign-in.ts";

/** What is stored, encrypted, until somebody has signed in. */
interface PendingCode {
	readonly newConnection: NewConnection;
	readonly by: string;
	readonly code: DeviceCode;
	readonly intervalMs: number;
	/** Why nobody will sign in; it is told to whoever asks for the connection. */
	readonly refusal?: string;
	/** A code is good for one answer: what it gave is stored before it is used. */
	readonly signedIn?: SignedIn;
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
	const { code, intervalMs, newConnection } = pending;
	const amend = (more: Partial<PendingCode>) => putPending(id, { ...pending, ...more }, stored.expiresAt ?? world.now(), records, parts);
	const refuse = async (refusal: ServiceError) => {
		world.log("warn", "somebody could not sign in to a provider", { provider: newConnection.provider, code: refusal.code, reason: refusal.message });
		await amend({ refusal: refusal.code === "SIGN_IN_REFUSED" ? String(refusal.args.at(-1)) : refusal.message });
		return null;
	};
	const answer = pending.signedIn ?? (await poll(newConnection.provider, code, parts, signal));
	if (answer === "pending") return nextPoll(id, intervalMs, organisation, world);
	if (answer === "slower" || answer === "unreachable") {
		const longerMs = answer === "slower" ? intervalMs + slowerMs : Math.max(intervalMs, Math.min(2 * intervalMs, intervalMaxMs));
		await amend({ intervalMs: longerMs });
		return nextPoll(id, longerMs, organisation, world);
	}
	if ("refusal" in answer) return refuse(answer.refusal);
	if (pending.signedIn === undefined) await amend({ signedIn: answer });
	try {
		await conclude(id, organisation, pending, answer, parts);
	} catch (thrown) {
		const error = asServiceError(thrown);
		if (error.mayPass || error.kind === "internal") throw thrown;
		return refuse(error);
	}
	return null;
}

/** A kill in the middle lets it be done again, which changes nothing. */
async function conclude(id: string, organisation: OrganisationId, { newConnection, by }: PendingCode, signedIn: SignedIn, parts: SignInParts): Promise<void> {
	const { storage, world } = parts;
	const { records } = storage.organisation(organisation);
	const made = await storeConnection(newConnection, { organisation, by, signedIn, id }, { ...parts, store: connectionStore(records, world) });
	await announceSignIn(organisation, made, storage, world);
	await records.remove("sign-in", id);
}

async function poll(provider: string, code: DeviceCode, { connectors, world }: SignInParts, signal: AbortSignal) {
	try {
		const device = connectorOf(provider, connectors).signIn?.device;
		if (device === undefined) throw fail("SIGN_IN_REFUSED", provider, "this server has no sign-in with a code any more");
		return await device.poll(code, createStep(world, signal));
	} catch (thrown) {
		signal.throwIfAborted();
		const refusal: ServiceError = asServiceError(thrown);
		return refusal.mayPass ? "unreachable" : { refusal };
	}
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
