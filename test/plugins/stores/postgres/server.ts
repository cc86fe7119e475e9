/** Databases on the server that `CAIRN_TEST_POSTGRES_URL` names: each test gets a copy of a migrated one. */

import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { PostgresConnection } from "../../../../plugins/stores/postgres/connection.ts";
import { hasPgvector } from "../../../../plugins/stores/postgres/indexes/pgvector.ts";
import { migrate, vectorHistory } from "../../../../plugins/stores/postgres/migrations.ts";
import { connectServer } from "../../../../plugins/stores/postgres/server.ts";

export interface TestServer {
	/** A database of its own, and a function that drops it. */
	readonly create: () => Promise<{ readonly connect: () => PostgresConnection; readonly drop: () => Promise<void> }>;
	readonly close: () => Promise<void>;
}

export async function openTestServer(url: string): Promise<TestServer> {
	const admin = postgres(url, { max: 1, onnotice: () => undefined });
	const template = await createDatabase(null);
	const first = connectTo(template);
	await migrate(first);
	if (await hasPgvector(first, () => undefined)) await migrate(first, undefined, { history: vectorHistory });
	await first.close();

	async function createDatabase(from: string | null): Promise<string> {
		const name = `cairn_test_${randomUUID().replaceAll("-", "")}`;
		await admin.unsafe(`CREATE DATABASE ${name}${from === null ? "" : ` TEMPLATE ${from}`}`);
		return name;
	}

	function connectTo(name: string): PostgresConnection {
		const address = new URL(url);
		address.pathname = `/${name}`;
		return connectServer({ url: address.href, connectionsMax: 4, prepare: true, statementTimeoutMs: 60_000, log: () => undefined });
	}

	return {
		create: async () => {
			const name = await createDatabase(template);
			return { connect: () => connectTo(name), drop: async () => void (await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)) };
		},
		close: async () => {
			await admin.unsafe(`DROP DATABASE ${template} WITH (FORCE)`);
			await admin.end();
		},
	};
}
