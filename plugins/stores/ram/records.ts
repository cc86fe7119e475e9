/** Records in RAM. */

import type { RecordKind, RecordStore, StoredRecord } from "cairn-memory";
import type { Tables } from "./tables.ts";

export function ramRecords({ records }: Tables): RecordStore {
	const nameOf = (kind: RecordKind, id: string) => `${kind}\n${id}`;
	const alive = (kind: RecordKind, id: string, now: Date) => {
		const kept = records.get(nameOf(kind, id));
		return kept !== undefined && isAlive(kept, now) ? kept : null;
	};
	return {
		get: async (kind, id, now) => structuredClone(alive(kind, id, now)),
		list: async (kind, after, limit, now) =>
			[...records]
				.filter(([name, kept]) => name === nameOf(kind, kept.id) && isAlive(kept, now) && (after === null || kept.id > after))
				.map(([, kept]) => structuredClone(kept))
				.sort((a, b) => (a.id < b.id ? -1 : 1))
				.slice(0, limit),
		put: async (kind, id, value, { expected, expiresAt, now }) => {
			const before = alive(kind, id, now)?.version ?? 0;
			if (expected !== null && expected !== before) return null;
			records.set(nameOf(kind, id), { id, value: structuredClone(value), version: before + 1, expiresAt });
			return before + 1;
		},
		remove: async (kind, id) => records.delete(nameOf(kind, id)),
	};
}

function isAlive({ expiresAt }: StoredRecord, now: Date): boolean {
	return expiresAt === null || expiresAt > now;
}
