/** What is stored, encrypted, of a sign-in that has begun. */

import { limits } from "../model/limits.ts";
import type { Connector } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { Vault } from "../ports/vault.ts";
import type { NewConnection } from "./create-connection.ts";

/** What a link and a code have in common. */
interface PendingSignIn {
	readonly newConnection: Pick<NewConnection, "provider">;
	/** Why nobody will sign in. */
	readonly refusal?: string;
}

/** Several servers may exceed the limit a little. */
const readMax = 10 * limits.signInsMax;

/** Null if it is not of this server. */
export function openPending<Value>(id: string, sealed: unknown, vault: Vault): Value | null {
	const opened = typeof sealed === "string" ? vault.open(sealed, pendingPurpose(id)) : null;
	return opened === null ? null : (JSON.parse(opened) as Value);
}

export function pendingPurpose(id: string): string {
	return `pending sign-in ${id}`;
}

/** Whether a sign-in at the authority of this provider, but the one with this id, may still give something. */
export async function hasOpenSignIn(provider: string, id: string, records: RecordStore, vault: Vault, now: Date, connectors: readonly Connector[]) {
	const others = (await records.list("sign-in", null, readMax, now)).filter((stored) => stored.id !== id);
	return others.some((stored) => {
		const pending = openPending<PendingSignIn>(stored.id, stored.value, vault);
		return pending !== null && pending.refusal === undefined && hasSameAuthority(pending.newConnection.provider, provider, connectors);
	});
}

export function hasSameAuthority(one: string, other: string, connectors: readonly Connector[]): boolean {
	const [mine, theirs] = [one, other].map((name) => connectors.find((connector) => connector.name === name)?.signIn?.authority);
	return one === other || (mine !== undefined && mine === theirs);
}
