/** Writes of the record store. */

import type { OrganisationId, PutOptions, RecordKind } from "cairn-memory";
import type { Executor } from "./executor.ts";
import { durable } from "./operation.ts";

export interface RecordName {
	readonly organisation: OrganisationId;
	readonly kind: RecordKind;
	readonly id: string;
}

export function recordOperations({ statement }: Executor) {
	function versionOf({ organisation, kind, id }: RecordName, now: Date): number {
		const sql = "SELECT version FROM records WHERE organisation = ? AND kind = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)";
		return statement<{ version: number }>(sql).get(organisation, kind, id, now.getTime())?.version ?? 0;
	}

	return {
		/** `value` is JSON. */
		putRecord: durable(({ value, options, ...name }: RecordName & { value: string; options: PutOptions }): number | null => {
			const { expected, expiresAt, now } = options;
			const version = versionOf(name, now);
			if (expected !== null && expected !== version) return null;
			statement(
				`INSERT INTO records (organisation, kind, id, value, version, expires_at) VALUES (?, ?, ?, ?, ?, ?)
					ON CONFLICT (organisation, kind, id) DO UPDATE SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at`,
			).run(name.organisation, name.kind, name.id, value, version + 1, expiresAt?.getTime() ?? null);
			return version + 1;
		}),

		removeRecord: durable(
			({ organisation, kind, id }: RecordName): boolean =>
				statement("DELETE FROM records WHERE organisation = ? AND kind = ? AND id = ?").run(organisation, kind, id).changes > 0,
		),

		/** A few at a time: other writers get their turn. @returns how many went. */
		sweepRecords: durable(
			({ now, limit }: { now: Date; limit: number }): number =>
				statement("DELETE FROM records WHERE rowid IN (SELECT rowid FROM records WHERE expires_at <= ? LIMIT ?)").run(now.getTime(), limit).changes,
		),
	};
}
