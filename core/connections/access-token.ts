/** Access tokens of connections that somebody has signed in to. A token that has expired, or was refused, is replaced by one refresh at a time. */

import { fail } from "../errors/fail.ts";
import { createStep } from "../language/step.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { Connector, Credentials, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import { underLock } from "../runtime/keyed-mutex.ts";
import { type Connection, credentialsPurpose, openCredentials } from "./connection.ts";
import { connectionStore } from "./connection-store.ts";

export interface AccessTokenParts extends Pick<Parts, "vault" | "world"> {
	/** Never those of a job, whose writes are rejected after its lease: credentials that the service has replaced would be lost. */
	readonly records: RecordStore;
}

/** New credentials are worth some patience: without them somebody has to sign in again. */
const storeTriesMax = 5;
const storePauseMs = 1_000;

/** A token that expires sooner is refreshed, so that it lasts for the longest request. */
const leastTimeMs = 2 * limits.fetchTimeoutMs;

/**
 * Two syncs, threads or servers never refresh the same credentials: a service that replaces refresh tokens may take the second use of one
 * for a theft, and end the sign-in. New credentials are stored before they are used.
 *
 * A kill between the answer of the service and the store loses them: no order of writes prevents that, since only the service knows them
 * before. The stored ones are then tried again, which most services allow for a while (RFC 9700, section 4.14.2, leaves it to them).
 */
export function accessTokenOf({ id }: Pick<Connection, "id">, connector: Connector, parts: AccessTokenParts): Pick<Step, "accessToken"> {
	const { name } = connector;
	if (connector.signIn === undefined) return {};
	const signIn = connector.signIn;
	const { records, vault, world } = parts;
	const store = connectionStore(records, world);

	async function current() {
		const connection = await store.get(id);
		if (connection === null || connection.deletion !== null) throw fail("CONNECTION_MISSING");
		if (connection.signedIn === undefined) throw fail("CONNECTION_UNAUTHORIZED", name, "nobody has signed in");
		return { sealed: connection.signedIn.credentials, credentials: openCredentials(connection, vault) };
	}

	const isUsable = ({ accessToken, expiresAt }: Credentials, refused?: string) =>
		accessToken !== refused && (expiresAt === null || Date.parse(expiresAt) - world.now().getTime() > leastTimeMs);

	async function refresh(refused?: string): Promise<string> {
		const { sealed, credentials } = await current();
		if (isUsable(credentials, refused)) return credentials.accessToken;
		if (credentials.refreshToken === null) throw fail("CONNECTION_UNAUTHORIZED", name, "the sign-in has expired");
		// A store that takes no writes, because the disk is full say, is found out before the service replaces anything.
		if ((await store.amend(id, (now) => now)) === null) throw fail("CONNECTION_MISSING");
		// It has a signal of its own, which nobody aborts: the service may have replaced the credentials by the time a sync is stopped.
		const next = await signIn.refresh(credentials, createStep(world, new AbortController().signal));
		const changed = await patiently(() =>
			store.amend(id, (now) =>
				now.signedIn?.credentials === sealed
					? { ...now, signedIn: { ...now.signedIn, credentials: vault.seal(JSON.stringify(next), credentialsPurpose(id)) } }
					: now,
			),
		);
		if (changed === null) throw fail("CONNECTION_MISSING");
		// Somebody may have signed in again meanwhile.
		return openCredentials(changed, vault).accessToken;
	}

	async function patiently<Value>(write: () => Promise<Value>): Promise<Value> {
		for (let tries = 1; ; tries++) {
			try {
				return await write();
			} catch (thrown) {
				if (tries >= storeTriesMax) throw thrown;
				await world.sleep(storePauseMs, new AbortController().signal);
			}
		}
	}

	return {
		accessToken: async (refused) => {
			const { credentials } = await current();
			return isUsable(credentials, refused) ? credentials.accessToken : underLock(`sign-in ${id}`, () => refresh(refused), records, world);
		},
	};
}
