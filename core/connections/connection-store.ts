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
	readonly add: (connection: Connection) => Promise<void>;
	/** @returns the connection as it now is; null when it is no longer there, or the change wants none. */
	readonly amend: (id: string, change: (connection: Connection) => Connection | null) => Promise<Connection | null>;
	readonly remove: (id: string) => Promise<boolean>;
}

/** After a lost race the record is read again. So many losses in a row do not happen: a connection has one sync at a time. */
const looksMax = 20;
/** With those that are being cleared away. */
const readMax = 10 * limits.connectionsMax;

export function connectionStore(records: RecordStore, world: Pick<World, "now">): ConnectionStore {
	const kept = (id: string) => records.get("connection", id, world.now());
	const put = (connection: Connection, expected: number) =>
		records.put("connection", connection.id, connection, { expected, expiresAt: null, now: world.now() });
	return {
		get: async (id) => asConnection(await kept(id)),
		list: async () => (await records.list("connection", null, readMax, world.now())).flatMap((one) => asConnection(one) ?? []),
		add: async (connection) => {
			await put(connection, 0);
		},
		amend: async (id, change) => {
			for (let look = 0; look < looksMax; look++) {
				const found = await kept(id);
				const connection = asConnection(found);
				const changed = connection === null ? null : change(connection);
				if (found === null || changed === null) return null;
				if ((await put(changed, found.version)) !== null) return changed;
			}
			throw fail("CONNECTION_CONTESTED");
		},
		remove: (id) => records.remove("connection", id),
	};
}

/** Only this store writes records of this kind. */
function asConnection(found: StoredRecord | null): Connection | null {
	return found === null ? null : (found.value as Connection);
}

/** When containers are merged, their connections put documents into the target from then on. A sync that is running asks for the containers before each document. */
export async function retagConnections(sources: readonly string[], target: string, records: RecordStore, world: World): Promise<void> {
	const store = connectionStore(records, world);
	const isMeant = (tags: readonly string[]) => tags.some((tag) => sources.includes(tag));
	for (const { id } of (await store.list()).filter(({ containerTags }) => isMeant(containerTags))) {
		await store.amend(id, (known) => ({ ...known, containerTags: [...new Set(known.containerTags.map((tag) => (sources.includes(tag) ? target : tag)))] }));
	}
}
