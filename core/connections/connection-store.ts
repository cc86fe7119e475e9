/** The connections of an organisation, stored as records. Syncs and administrators write the same record, so each change is applied to its current state. */

import { fail } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { RecordStore, StoredRecord } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import type { Connection } from "./connection.ts";

export interface ConnectionStore {
	/** Includes connections that are being deleted. */
	readonly get: (id: string) => Promise<Connection | null>;
	readonly list: () => Promise<readonly Connection[]>;
	/** @returns whether it was added: a connection with its id stays as it is. */
	readonly add: (connection: Connection) => Promise<boolean>;
	/** @returns the changed connection; null if it no longer exists or `change` returns null. */
	readonly amend: (id: string, change: (connection: Connection) => Connection | null) => Promise<Connection | null>;
	readonly remove: (id: string) => Promise<boolean>;
}

/** If the record was changed between the read and the write, the change is tried again. This many tries are never needed, because a connection has one sync at a time. */
const triesMax = 20;
/** Includes connections that are being deleted. */
const readMax = 10 * limits.connectionsMax;

export function connectionStore(records: RecordStore, world: Pick<World, "now">): ConnectionStore {
	const read = (id: string) => records.get("connection", id, world.now());
	const put = (connection: Connection, expected: number) =>
		records.put("connection", connection.id, connection, { expected, expiresAt: null, now: world.now() });
	return {
		get: async (id) => asConnection(await read(id)),
		list: async () => (await records.list("connection", null, readMax, world.now())).flatMap((stored) => asConnection(stored) ?? []),
		add: async (connection) => (await put(connection, 0)) !== null,
		amend: async (id, change) => {
			for (let tries = 0; tries < triesMax; tries++) {
				const stored = await read(id);
				const connection = asConnection(stored);
				const changed = connection === null ? null : change(connection);
				if (stored === null || changed === null) return null;
				if ((await put(changed, stored.version)) !== null) return changed;
			}
			throw fail("CONNECTION_CONTESTED");
		},
		remove: (id) => records.remove("connection", id),
	};
}

/** Only this store writes records of this kind. */
function asConnection(stored: StoredRecord | null): Connection | null {
	return stored === null ? null : (stored.value as Connection);
}
