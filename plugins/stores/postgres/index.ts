/** Stores all records in PostgreSQL, which any number of servers may share. */

import { definePlugin } from "cairn-memory";
import { z } from "zod";
import { createSettledClock } from "../sql/settled-clock.ts";
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
	options: z.strictObject({
		url: z.url({ protocol: /^postgres(ql)?$/, error: "should be an address such as postgres://user:password@host/database, in CAIRN_STORAGE_URL" }),
		/** How many connections each of the server's two threads opens at most. */
		connectionsMax: z.number().int().min(1).default(10),
		/** Whether a pooler lends connections for one transaction. Nothing is then prepared, and changes by other servers are noticed by asking. */
		hasPooler: z.boolean().default(false),
		statementTimeoutMs: z.number().int().min(100).default(60_000),
	}),
	start: async ({ url, connectionsMax, hasPooler, statementTimeoutMs }, { world, log }) => {
		// Only where it is used: the driver would be loaded by every server.
		const { connectServer } = await import("./server.ts");
		const connection = connectServer({ url, connectionsMax, prepare: !hasPooler, statementTimeoutMs, log });
		const storage = postgresStorage({ connection, now: createSettledClock(world) });
		return { storage: [storage], stop: storage.close };
	},
});
