/** Revokes the sign-in of a connection that is deleted, as far as the provider can be reached. */

import { asServiceError } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import type { Parts } from "../parts.ts";
import type { Connector } from "../plugin/contract.ts";
import { type Connection, openCredentials } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";

export type EndSignInParts = Pick<Parts, "storage" | "connectors" | "vault" | "world">;

/**
 * A provider may revoke everything that an account has given to this server at once. So nothing is revoked while another connection,
 * of any organisation, is signed in with the same account.
 */
export async function endSignIn(connection: Connection, parts: EndSignInParts): Promise<void> {
	const { connectors, vault, world } = parts;
	const signIn = connectors.find(({ name }) => name === connection.provider)?.signIn;
	if (signIn === undefined || connection.signedIn === undefined || (await isAccountUsed(connection, parts))) return;
	try {
		await signIn.revoke(openCredentials(connection, vault), createStep(world, new AbortController().signal));
	} catch (thrown) {
		const { code, message: reason } = asServiceError(thrown);
		world.log("warn", "a sign-in could not be revoked at its provider", { connection: connection.id, provider: connection.provider, code, reason });
	}
}

async function isAccountUsed(ended: Connection, { storage, connectors, world }: EndSignInParts): Promise<boolean> {
	for (const { id: organisation } of await storage.accounts.organisations()) {
		const connections = await connectionStore(storage.organisation(organisation).records, world).list();
		if (connections.some((other) => other.id !== ended.id && other.deletion === null && isSameAccount(ended, other, connectors))) return true;
	}
	return false;
}

/** Two connectors to one service may have different ids of an account; its address is the same. */
function isSameAccount({ provider, signedIn }: Connection, other: Connection, connectors: readonly Connector[]): boolean {
	if (signedIn === undefined || other.signedIn === undefined) return false;
	if (other.provider === provider) return other.signedIn.account.id === signedIn.account.id;
	const [mine, theirs] = [provider, other.provider].map((name) => connectors.find((one) => one.name === name)?.signIn?.authority);
	return mine !== undefined && mine === theirs && other.signedIn.account.address.toLowerCase() === signedIn.account.address.toLowerCase();
}
