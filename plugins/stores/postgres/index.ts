/** Stores all records in PostgreSQL, which any number of servers may share, with indexes of words and, by pgvector, of vectors. */

import { definePlugin } from "cairn-memory";
import { createSettledClock } from "cairn-memory/stores";
import { z } from "zod";
import { hasPgvector } from "./indexes/pgvector.ts";
import { pgvectorIndex } from "./indexes/vectors.ts";
import { postgresWordIndex } from "./indexes/words.ts";
import { outsideTables } from "./outside-tables.ts";
import { rowTools } from "./rows.ts";
import { postgresStorage } from "./storage.ts";

export default definePlugin({
	name: "postgresql",
	contract: 1,
	settings: [
		{
			env: "CAIRN_STORAGE_URL",
			use: { storage: "postgresql" },
			kind: "secret",
			meaning: "database for all records, such as postgres://user:password@host/database; without one, a file in the data folder",
		},
	],
	// A storage connects when it starts, so only the chosen one is started.
	configure: (fileOptions, { use, settings: { CAIRN_STORAGE_URL: url } }) =>
		use.storage === "postgresql" ? { options: { ...(url === null ? {} : { url }), ...fileOptions } } : null,
	rows: rowTools,
	options: z.strictObject({
		url: z.url({ protocol: /^postgres(ql)?$/, error: "should be an address such as postgres://user:password@host/database, in CAIRN_STORAGE_URL" }),
		/** How many connections each of the server's two threads opens at most. One is in use for as long as a graph of vectors is made. */
		connectionsMax: z.number().int().min(2).default(10),
		/** Whether there is a pooler that gives a connection to another client after each transaction. Then no statements are prepared, and changes by other servers are found by polling. */
		hasPooler: z.boolean().default(false),
		statementTimeoutMs: z.number().int().min(100).default(60_000),
		/** Up to so many vectors of one kind in an organisation are compared one by one; more get a graph. */
		exactMax: z.number().int().min(0).default(10_000),
		/** The most memory that the database may use to make a graph, unless it is set to use more (`maintenance_work_mem`). About 170,000 vectors of 256 dimensions fit into 256 MB. */
		buildMegabytes: z.number().int().min(1).default(256),
	}),
	start: async ({ url, connectionsMax, hasPooler, statementTimeoutMs, exactMax, buildMegabytes }, { world, log }) => {
		// Imported here, so that the driver is only loaded by servers that use it.
		const { connectServer } = await import("./server.ts");
		const connection = connectServer({ url, connectionsMax, prepare: !hasPooler, statementTimeoutMs, log });
		const hasVectors = await hasPgvector(connection, log).catch(async (thrown: unknown) => {
			await connection.close();
			throw thrown;
		});
		const storage = postgresStorage({ connection, now: createSettledClock(world), hasVectors, log });
		const vectorIndex = hasVectors ? [pgvectorIndex(connection, { exactMax, buildMegabytes, log })] : [];
		const wordIndex = [postgresWordIndex(connection)];
		const outside = outsideTables({ connection, indexes: [...vectorIndex, ...wordIndex], log });
		return { storage: [{ ...storage, outside }], vectorIndex, wordIndex, stop: storage.close };
	},
});
