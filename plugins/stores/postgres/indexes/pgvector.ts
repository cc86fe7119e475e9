/** Whether the server has pgvector. It is made ready where the server offers it and this user may do so. */

import { type Log, ServiceError } from "cairn-memory";
import { type PostgresConnection, writeIdleMs } from "../connection.ts";
import { lockTables } from "../write-locks.ts";

/** With it, a filtered search goes on until it has found enough. */
const leastVersion = [0, 8] as const;
const remedy = "install pgvector 0.8 or newer and run CREATE EXTENSION vector in the database; until then searches read every vector in scope";

/** @throws ServiceError `STORAGE_UNREACHABLE`, where it is not known: a server must not run without its index because of a moment */
export async function hasPgvector({ transaction }: Pick<PostgresConnection, "transaction">, log: Log): Promise<boolean> {
	const version = await transaction(
		"",
		async (inside) => {
			await lockTables(inside);
			const { query, script } = inside;
			const installed = async () => {
				const { rows } = await query("SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'", []);
				return (rows as readonly { readonly version: string }[])[0]?.version ?? null;
			};
			const { rows } = await query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'", []);
			if ((await installed()) === null && rows.length > 0) await script("CREATE EXTENSION vector");
			return installed();
		},
		writeIdleMs,
	).catch((thrown: unknown) => {
		if (thrown instanceof ServiceError && thrown.code === "STORAGE_UNREACHABLE") throw thrown;
		log("warn", "the extension vector could not be created", { reason: String(thrown) });
		return null;
	});
	const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
	const isUsable = version !== null && (major > leastVersion[0] || minor >= leastVersion[1]);
	if (!isUsable) log("warn", "this PostgreSQL has no index of vectors", { pgvector: version ?? "missing", remedy });
	return isUsable;
}
