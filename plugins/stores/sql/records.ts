/** Records: small values that are stored and never searched. */

import type { Json, OrganisationId } from "cairn-memory";
import type { PutOptions, RecordKind, RecordStore, StoredRecord } from "cairn-memory/stores";
import { durable, type Program, type SqlContext, type SqlEngine } from "./executor.ts";
import type { records } from "./schema.ts";

export interface RecordName {
	readonly organisation: OrganisationId;
	readonly kind: RecordKind;
	readonly id: string;
}

export function recordOperations({ statement }: SqlContext) {
	/** The version of a record; 0 if there is none, or if it has expired. */
	function* versionOf({ organisation, kind, id }: RecordName, now: Date): Program<number> {
		const sql = "SELECT version FROM records WHERE organisation = ? AND kind = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)";
		return (yield* statement<{ version: number }>(sql).get(organisation, kind, id, now.getTime()))?.version ?? 0;
	}

	return {
		/** `value` is JSON. @returns the new version; null if the current version is not the expected one. */
		putRecord: durable(function* ({ value, options, ...name }: RecordName & { value: string; options: PutOptions }): Program<number | null> {
			const { expected, expiresAt, now } = options;
			const version = yield* versionOf(name, now);
			if (expected !== null && expected !== version) return null;
			yield* statement(
				`INSERT INTO records (organisation, kind, id, value, version, expires_at) VALUES (?, ?, ?, ?, ?, ?)
					ON CONFLICT (organisation, kind, id) DO UPDATE SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at`,
			).run(name.organisation, name.kind, name.id, value, version + 1, expiresAt?.getTime() ?? null);
			return version + 1;
		}),

		removeRecord: durable(function* ({ organisation, kind, id }: RecordName): Program<boolean> {
			return (yield* statement("DELETE FROM records WHERE organisation = ? AND kind = ? AND id = ?").run(organisation, kind, id)).changes > 0;
		}),

		/** Deletes up to `limit` expired records, so that other writes do not wait long. What `removal` records name is deleted first. @returns how many. */
		sweepRecords: durable(function* ({ now, limit }: { now: Date; limit: number }): Program<number> {
			return (yield* statement("DELETE FROM records WHERE rowid IN (SELECT rowid FROM records WHERE expires_at <= ? AND kind <> 'removal' LIMIT ?)").run(
				now.getTime(),
				limit,
			)).changes;
		}),
	};
}

type Row = Pick<typeof records.$inferSelect, "id" | "value" | "version" | "expiresAt">;

const columns = "id, value, version, expires_at AS expiresAt";
const isAlive = "(expires_at IS NULL OR expires_at > ?)";

export function recordStore(organisation: OrganisationId, { statement, read, write }: SqlEngine): RecordStore {
	return {
		get: async (kind, id, now) => {
			const sql = `SELECT ${columns} FROM records WHERE organisation = ? AND kind = ? AND id = ? AND ${isAlive}`;
			const row = await read(statement<Row>(sql).get(organisation, kind, id, now.getTime()));
			return row === null ? null : recordOf(row);
		},
		list: async (kind, after, limit, now) => {
			const sql = `SELECT ${columns} FROM records WHERE organisation = ? AND kind = ? AND id > ? AND ${isAlive} ORDER BY id LIMIT ?`;
			return (await read(statement<Row>(sql).all(organisation, kind, after ?? "", now.getTime(), limit))).map(recordOf);
		},
		put: (kind, id, value, options) => write("putRecord", { organisation, kind, id, value: JSON.stringify(value), options }),
		remove: (kind, id) => write("removeRecord", { organisation, kind, id }),
	};
}

function recordOf({ id, value, version, expiresAt }: Row): StoredRecord {
	const parsed: Json = JSON.parse(value);
	return { id, value: parsed, version, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}
