/** Where a first sync without the rest of the server puts what it brings: nowhere, or into core with its storage, while searches are asked. */

import type { ConnectorItem, Cursor } from "cairn-memory";
import type { Connection } from "../core/connections/connection.ts";
import { putItem } from "../core/connections/put-item.ts";
import { createService } from "../core/service.ts";
import { createWorld } from "../server/boot/world.ts";
import { compose } from "../server/compose.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { drained, send } from "./client.ts";
import { createWriter } from "./notes.ts";
import { questions } from "./questions.ts";
import { startServer, temporaryFolder } from "./server.ts";

export interface SyncTarget {
	readonly put: (item: ConnectorItem, connection: string) => Promise<void>;
	readonly storeCursor: (cursor: Cursor, connection: string) => Promise<void>;
	/** How long each search took since the last time this was asked. */
	readonly searches: () => readonly number[];
	readonly close: () => Promise<void>;
}

export const nowhere: SyncTarget = {
	put: async () => undefined,
	storeCursor: async (cursor) => void JSON.stringify(cursor),
	searches: () => [],
	close: async () => undefined,
};

const notes = 1_000;
const patienceMs = 3_600_000;
const everyMs = 250;

/** Documents wait in the queue, which nobody works through: the pipeline has measures of its own. A search is asked four times a second. */
export async function intoCore(): Promise<SyncTarget> {
	const folder = await temporaryFolder();
	const server = await startServer(folder.path);
	const writer = createWriter(1);
	await send(
		server,
		Array.from({ length: notes }, () => writer.note()),
		16,
	);
	await drained(server, patienceMs);
	await server.stop();

	const settings = { ...readSettings({ env: { CAIRN_DATA_DIR: folder.path }, flags: [] }), config: null };
	const world = createWorld({ log: () => undefined });
	const { parts, stop } = await compose({ settings, config: {}, world });
	const [organisation] = await parts.storage.accounts.organisations();
	if (organisation === undefined) throw new Error("the folder has no organisation");
	const tenant = parts.storage.organisation(organisation.id);
	const service = createService(parts, { notify: () => undefined });
	const asks = questions(200, 4);
	const ended = new AbortController();
	let took: number[] = [];
	const asking = (async () => {
		for (let i = 0; !ended.signal.aborted; i++) {
			const began = performance.now();
			const query = asks[i % asks.length]?.query;
			if (query !== undefined) await service.searchDocuments({ organisation: organisation.id, role: "read", grants: null }, query, ended.signal);
			took.push(performance.now() - began);
			await Bun.sleep(everyMs);
		}
	})();
	return {
		put: (item, connection) => putItem(item, { currentConnection: async () => connectionOf(connection), organisation: organisation.id, tenant, world }),
		storeCursor: async (cursor, connection) => {
			await tenant.records.put("sync-cursor", connection, cursor, { expected: null, expiresAt: null, now: world.now() });
		},
		searches: () => {
			const taken = took;
			took = [];
			return taken;
		},
		close: async () => {
			ended.abort();
			await asking.catch(() => undefined);
			await stop();
			await folder[Symbol.asyncDispose]();
		},
	};
}

function connectionOf(id: string): Connection {
	return {
		...{ id, provider: "onedrive", containerTags: ["library"], documentLimit: 10_000, metadata: {}, sealed: "", chosen: null, source: id, by: "bench" },
		...{ createdAt: new Date(0).toISOString(), nextSyncAt: null, runs: [], deletion: null },
	};
}
