/** The storage for tests: the statements of every SQL store on a database in memory. Nothing is kept after `close`. */

import { type OrganisationId, type Storage, type StoragePlugin, searchable } from "cairn-memory";
import { sweepDiscarded } from "../sql/documents/discarded.ts";
import { sqlStores } from "../sql/stores.ts";
import { sweepRows } from "../sql/upkeep/sweep-rows.ts";
import { ramBlobs } from "./blobs.ts";
import { ramEngine } from "./engine.ts";

/** Searched, as core has it. */
export function ramStorage(now?: () => Date): Storage {
	return searchable(unsearchedRam(now));
}

/** @param now tells when memories have expired, for the upkeep. */
export function unsearchedRam(now: () => Date = () => new Date()): StoragePlugin {
	const engine = ramEngine();
	const { organisation, ...stores } = sqlStores(engine);
	const blobs = new Map<OrganisationId, Map<string, Uint8Array>>();

	function blobsOf(id: OrganisationId): Map<string, Uint8Array> {
		const known = blobs.get(id) ?? new Map<string, Uint8Array>();
		blobs.set(id, known);
		return known;
	}

	return {
		name: "ram",
		supports: { manyWriters: false, durable: false },
		organisation: (id) => ({ ...organisation(id), blobs: ramBlobs(blobsOf(id)) }),
		...stores,
		migrate: async () => {},
		check: async () => {},
		maintain: async (signal) => {
			await sweepRows(engine, now(), signal);
			while (!signal.aborted && sweepDiscarded(engine.connection));
		},
		close: async () => engine.connection.close(),
	};
}
