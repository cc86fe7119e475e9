/** The PostgreSQL storage passes every contract test of a storage: in this process, and on a server if `CAIRN_TEST_POSTGRES_URL` names one. */

import { afterAll, describe, expect, test } from "bun:test";
import { searchable } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import type { PostgresConnection } from "../../../plugins/stores/postgres/connection.ts";
import { postgresStorage } from "../../../plugins/stores/postgres/storage.ts";
import { ramBlobs } from "../../../plugins/stores/ram/blobs.ts";
import type { OpenedStorage } from "../../contract/storage/ground.ts";
import { storageContract } from "../../contract/storage/storage-contract.ts";
import { keyedOtherwise, namingNone, noting, tablesOfAll } from "./postgres/organisation-first.ts";
import { openPglite } from "./postgres/pglite.ts";
import { openTestServer } from "./postgres/server.ts";

/** Random filters are asked one after the other; on a busy machine that takes long. */
const patienceMs = 300_000;

const world = { now: () => new Date(), log: () => undefined, randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };

async function opened(connect: () => PostgresConnection, dispose: () => Promise<void>): Promise<OpenedStorage> {
	const blobs = ramBlobs(world);
	const open: Storage[] = [];
	const reopen = async () => {
		const storage = searchable(postgresStorage({ connection: connect(), now: world.now, hasVectors: false }), blobs, world);
		open.push(storage);
		return storage;
	};
	return {
		storage: await reopen(),
		reopen,
		dispose: async () => {
			for (const storage of open) await storage.close();
			await dispose();
		},
	};
}

describe("in this process", () => {
	let database: ReturnType<typeof openPglite> | null = null;
	afterAll(async () => (await database)?.close());

	const seen = new Set<string>();
	const emptied = async () => {
		database ??= openPglite();
		return noting(await (await database).empty(), seen);
	};
	const contractTests = storageContract(async () => {
		const connection = await emptied();
		return opened(
			() => connection,
			async () => undefined,
		);
	});
	for (const contractTest of contractTests) test(contractTest.name, contractTest.check, patienceMs);

	test("every key begins with the organisation, and every statement names one, but for those that are listed", async () => {
		expect(await keyedOtherwise(await emptied())).toEqual(tablesOfAll);
		expect(seen.size).toBeGreaterThan(200);
		expect(namingNone(seen)).toEqual([]);
	});
});

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe.skipIf(url === undefined)("on a server", () => {
	let server: ReturnType<typeof openTestServer> | null = null;
	afterAll(async () => (await server)?.close());

	const contractTests = storageContract(async () => {
		server ??= openTestServer(url ?? "");
		const { connect, drop } = await (await server).create();
		return opened(connect, drop);
	});
	for (const contractTest of contractTests) test(contractTest.name, contractTest.check, patienceMs);
});
