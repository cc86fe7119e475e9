/** Revokes the sign-in of a connection that is deleted, or of one that was never made, as far as the provider can be reached. */

import { asServiceError } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { Connector, ConnectorSignIn, Credentials, SignedIn, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import { type Connection, openCredentials, openPending } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";
import type { NewConnection } from "./create-connection.ts";

export type EndSignInParts = Pick<Parts, "storage" | "connectors" | "vault" | "world">;

/** What a provider has given before the sign-in was refused. */
export interface Given {
	readonly credentials: Credentials;
	/** Null if it is not known whose they are. */
	readonly account: SignedIn["account"] | null;
}

/** Sign-ins read of an organisation. Several servers may exceed their limit a little. */
const readMax = 10 * limits.signInsMax;
/** Whoever has signed in waits for it. */
const refusedTimeoutMs = 5_000;

/**
 * A provider may revoke everything that an account has given to this server at once. So nothing is revoked while another connection,
 * of any organisation, is signed in with the same account.
 */
export async function endSignIn(connection: Connection, parts: EndSignInParts): Promise<void> {
	const { id, provider, signedIn } = connection;
	if (signedIn === undefined || (await isAccountUsed({ provider, account: signedIn.account }, id, parts))) return;
	const end: End = (signIn, step) => signIn.revoke(openCredentials(connection, parts.vault), step);
	await revoke({ connection: id, provider }, end, new AbortController().signal, parts);
}

/**
 * The same for what no connection was made of. Another sign-in that is under way may be of the same account, so that nothing is revoked
 * while there is one. It throws nothing.
 * @param id of the sign-in
 */
export async function endRefused(id: string, provider: string, { credentials, account }: Given, parts: EndSignInParts): Promise<void> {
	const { world } = parts;
	const [ended, late] = [new AbortController(), new AbortController()];
	const isLate = world.sleep(refusedTimeoutMs, ended.signal).then(() => {
		late.abort();
		return true;
	});
	const isUsed = mayBeUsed(id, { provider, account }, parts).catch(() => true);
	const end: End = (signIn, step) => (signIn.revokeToken ?? signIn.revoke)(credentials, step);
	if (!(await Promise.race([isUsed, isLate]))) await revoke({ provider }, end, late.signal, parts);
	ended.abort();
}

type End = (signIn: ConnectorSignIn, step: Step) => Promise<void>;

interface Revoked {
	readonly connection?: string;
	readonly provider: string;
}

async function revoke(revoked: Revoked, end: End, signal: AbortSignal, { connectors, world }: EndSignInParts): Promise<void> {
	try {
		const signIn = connectors.find(({ name }) => name === revoked.provider)?.signIn;
		if (signIn !== undefined) await end(signIn, createStep(world, signal));
	} catch (thrown) {
		const { code, message: reason } = asServiceError(thrown);
		world.log("warn", "a sign-in could not be revoked at its provider", { ...revoked, code, reason });
	}
}

interface Ended {
	readonly provider: string;
	readonly account: Given["account"];
}

/** A sign-in that succeeds leaves its record only after its connection is stored: looked at in this order, it is in one of the two. */
async function mayBeUsed(id: string, ended: Ended, parts: EndSignInParts): Promise<boolean> {
	const { storage } = parts;
	for (const { id: organisation } of await storage.accounts.organisations()) {
		if (await hasOpenSignIn(ended.provider, id, storage.organisation(organisation).records, parts)) return true;
	}
	return isAccountUsed(ended, null, parts);
}

/** What a link and a code have in common. `refusal` is why nobody will sign in. */
interface PendingSignIn {
	readonly newConnection: Pick<NewConnection, "provider">;
	readonly refusal?: string;
}

/** Whether a sign-in at the authority of this provider, but the one with this id, may still give something. */
async function hasOpenSignIn(provider: string, id: string, records: RecordStore, { connectors, vault, world }: EndSignInParts): Promise<boolean> {
	const stored = await records.list("sign-in", null, readMax, world.now());
	return stored.some((other) => {
		const pending = other.id === id ? null : openPending<PendingSignIn>(other.id, other.value, vault);
		return pending !== null && pending.refusal === undefined && hasSameAuthority(pending.newConnection.provider, provider, connectors);
	});
}

function hasSameAuthority(one: string, other: string, connectors: readonly Connector[]): boolean {
	const [mine, theirs] = [one, other].map((name) => connectors.find((connector) => connector.name === name)?.signIn?.authority);
	return one === other || (mine !== undefined && mine === theirs);
}

/** @param id of the connection that has ended; null if there is none */
async function isAccountUsed(ended: Ended, id: string | null, { storage, connectors, world }: EndSignInParts): Promise<boolean> {
	for (const { id: organisation } of await storage.accounts.organisations()) {
		const connections = await connectionStore(storage.organisation(organisation).records, world).list();
		if (connections.some((other) => other.id !== id && other.deletion === null && isSameAccount(ended, other, connectors))) return true;
	}
	return false;
}

/** Two connectors to one service may have different ids of an account; its address is the same. One that is not known may be any. */
function isSameAccount({ provider, account }: Ended, other: Connection, connectors: readonly Connector[]): boolean {
	if (other.signedIn === undefined) return false;
	if (other.provider === provider) return account === null || other.signedIn.account.id === account.id;
	if (!hasSameAuthority(provider, other.provider, connectors)) return false;
	return account === null || other.signedIn.account.address.toLowerCase() === account.address.toLowerCase();
}
