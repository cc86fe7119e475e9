/** Revokes the sign-in of a connection that is deleted, or of one that was never made, as far as the provider can be reached. */

import { asServiceError } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { Parts } from "../parts.ts";
import type { Connector, Credentials, SignedIn } from "../plugin/contract.ts";
import { type Connection, openCredentials } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";

export type EndSignInParts = Pick<Parts, "storage" | "connectors" | "vault" | "world">;

/** What a provider has given before the sign-in was refused. */
export interface Given {
	readonly credentials: Credentials;
	/** Null if it is not known whose they are. */
	readonly account: SignedIn["account"] | null;
}

/** Whoever has signed in waits for it. */
const refusedTimeoutMs = 5_000;

/**
 * A provider may revoke everything that an account has given to this server at once. So nothing is revoked while another connection,
 * of any organisation, is signed in with the same account.
 */
export async function endSignIn(connection: Connection, parts: EndSignInParts): Promise<void> {
	const { id, provider, signedIn } = connection;
	if (signedIn === undefined || (await isAccountUsed({ provider, account: signedIn.account }, id, parts))) return;
	await revoke({ connection: id, provider }, () => openCredentials(connection, parts.vault), new AbortController().signal, parts);
}

/** The same for what no connection was made of. It throws nothing. */
export async function endRefused(provider: string, { credentials, account }: Given, parts: EndSignInParts): Promise<void> {
	const isUsed = await isAccountUsed({ provider, account }, null, parts).catch(() => true);
	if (!isUsed) await revoke({ provider }, () => credentials, AbortSignal.timeout(refusedTimeoutMs), parts);
}

interface Revoked {
	readonly connection?: string;
	readonly provider: string;
}

async function revoke(revoked: Revoked, open: () => Credentials, signal: AbortSignal, { connectors, world }: EndSignInParts): Promise<void> {
	try {
		await connectors.find(({ name }) => name === revoked.provider)?.signIn?.revoke(open(), createStep(world, signal));
	} catch (thrown) {
		const { code, message: reason } = asServiceError(thrown);
		world.log("warn", "a sign-in could not be revoked at its provider", { ...revoked, code, reason });
	}
}

interface Ended {
	readonly provider: string;
	readonly account: Given["account"];
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
	const [mine, theirs] = [provider, other.provider].map((name) => connectors.find((one) => one.name === name)?.signIn?.authority);
	if (mine === undefined || mine !== theirs) return false;
	return account === null || other.signedIn.account.address.toLowerCase() === account.address.toLowerCase();
}
