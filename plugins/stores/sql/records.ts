/** Records: reads here, writes by way of the writer. */

import type { Json, OrganisationId, RecordStore, StoredRecord } from "cairn-memory";
import type { SqlEngine } from "./executor.ts";
import type { records } from "./schema.ts";

type Row = Pick<typeof records.$inferSelect, "id" | "value" | "version" | "expiresAt">;

const columns = "id, value, version, expires_at AS expiresAt";
const isAlive = "(expires_at IS NULL OR expires_at > ?)";

export function recordStore(organisation: OrganisationId, { statement, write }: SqlEngine): RecordStore {
	return {
		get: async (kind, id, now) => {
			const sql = `SELECT ${columns} FROM records WHERE organisation = ? AND kind = ? AND id = ? AND ${isAlive}`;
			const row = statement<Row>(sql).get(organisation, kind, id, now.getTime());
			return row === null ? null : recordOf(row);
		},
		list: async (kind, after, limit, now) => {
			const sql = `SELECT ${columns} FROM records WHERE organisation = ? AND kind = ? AND id > ? AND ${isAlive} ORDER BY id LIMIT ?`;
			return statement<Row>(sql)
				.all(organisation, kind, after ?? "", now.getTime(), limit)
				.map(recordOf);
		},
		put: (kind, id, value, options) => write("putRecord", { organisation, kind, id, value: JSON.stringify(value), options }),
		remove: (kind, id) => write("removeRecord", { organisation, kind, id }),
	};
}

function recordOf({ id, value, version, expiresAt }: Row): StoredRecord {
	const parsed: Json = JSON.parse(value);
	return { id, value: parsed, version, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}
