/** A database for one engine, and what it takes. */

import { readFileSync } from "node:fs";
import postgres from "postgres";

export interface Database extends AsyncDisposable {
	readonly address: string;
	readonly sql: postgres.Sql;
	/** On the disk. */
	readonly bytes: () => Promise<number>;
	/** Of its connections' processes, with their share of what these have in common; null where the server's processes cannot be looked at. */
	readonly residentBytes: () => Promise<number | null>;
}

let made = 0;

/** It lies beside the given one, and is dropped at the end. */
export async function createDatabase(address: string): Promise<Database> {
	const beside = postgres(address, { max: 1, onnotice: () => {} });
	const name = `peers_${process.pid}_${++made}`;
	await beside.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
	const url = new URL(address);
	url.pathname = `/${name}`;
	const sql = postgres(url.href, { max: 1, onnotice: () => {} });
	return {
		address: url.href,
		sql,
		bytes: async () => {
			const [row] = await sql`SELECT pg_database_size(current_database())::float8 AS bytes`;
			return row?.["bytes"];
		},
		residentBytes: async () => {
			const rows = await sql<{ pid: number }[]>`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
			const shares = rows.map(({ pid }) => proportionalBytes(pid));
			return shares.every((share) => share !== null) ? shares.reduce((sum, share) => sum + share, 0) : null;
		},
		[Symbol.asyncDispose]: async () => {
			await sql.end();
			await beside.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
			await beside.end();
		},
	};
}

/** Linux tells it to whoever may look at the process. */
function proportionalBytes(pid: number): number | null {
	try {
		const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
		return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
	} catch {
		return null;
	}
}
