/** Two servers on one PostgreSQL database: in this process, and on the server that `CAIRN_TEST_POSTGRES_URL` names. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, definePlugin } from "cairn-memory";
import { z } from "zod";
import type { PostgresConnection } from "../../plugins/stores/postgres/connection.ts";
import { postgresStorage } from "../../plugins/stores/postgres/storage.ts";
import { openPglite } from "../plugins/stores/postgres/pglite.ts";
import { openTestServer } from "../plugins/stores/postgres/server.ts";
import { type Ground, startTestServer, type TestClient, type TestServer } from "./test-server.ts";

/** Empty databases, one after the other. */
export interface Databases {
	readonly create: () => Promise<{ readonly connect: () => PostgresConnection; readonly drop: () => Promise<void> }>;
	readonly close: () => Promise<void>;
}

export async function databasesHere(): Promise<Databases> {
	const database = await openPglite();
	return {
		create: async () => {
			await database.empty();
			return { connect: database.connect, drop: async () => undefined };
		},
		close: database.close,
	};
}

export const databasesOn = (url: string): Promise<Databases> => openTestServer(url);

export interface Nodes {
	readonly folder: string;
	readonly servers: readonly [TestServer, TestServer];
	/** The same key at each of them. */
	readonly clients: readonly [TestClient, TestClient];
	readonly dispose: () => Promise<void>;
}

/** A storage that uses this connection. */
function storagePlugin(connection: PostgresConnection): NonNullable<Config["plugins"]>[number] {
	const plugin = definePlugin({
		name: "test-postgres",
		contract: 1,
		options: z.strictObject({}),
		start: async () => ({ storage: [{ ...postgresStorage({ connection, hasVectors: false, now: () => new Date() }), name: "test-postgres" }] }),
	});
	return plugin({});
}

/** @param flags of each of the two. @param isRunning whether the second one's worker runs */
export async function startNodes(
	databases: Databases,
	flags: readonly [readonly string[], readonly string[]] = [[], []],
	isRunning: () => boolean = () => true,
): Promise<Nodes> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-nodes-"));
	const { connect, drop } = await databases.create();
	const start = (own: readonly string[], more: Ground = {}) =>
		startTestServer(own, { plugins: [storagePlugin(connect())], use: { storage: "test-postgres" } }, { folder, ...more });
	const servers = [await start(flags[0]), await start(flags[1], { isRunning })] as const;
	const client = await servers[0].client();
	return {
		folder,
		servers,
		clients: [client, servers[1].clientWith(client.key)],
		dispose: async () => {
			for (const server of servers) await server.dispose();
			await drop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
