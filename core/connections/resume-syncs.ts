/** Runs when a worker starts: adds the missing sync jobs of connections, in case a crash prevented that. */

import { asServiceError } from "../errors/fail.ts";
import { dueAt, newJob } from "../runtime/new-job.ts";
import { connectionStore } from "./connection-store.ts";
import type { SyncParts } from "./sync.ts";

/** An existing job stays unchanged, unless the connection is due earlier. */
export async function resumeSyncs({ storage, world }: Pick<SyncParts, "storage" | "world">): Promise<void> {
	try {
		for (const { id: organisation } of await storage.accounts.organisations()) {
			const connections = await connectionStore(storage.organisation(organisation).records, world).list();
			const due = connections.filter(({ nextSyncAt, deletion }) => nextSyncAt !== null || deletion !== null);
			await Promise.all(
				due.map(({ id, nextSyncAt, deletion }) => {
					const notBefore = deletion === null && nextSyncAt !== null ? dueAt(new Date(nextSyncAt), world) : world.steadyNow();
					return storage.jobs.add({ ...newJob("sync", id, organisation, world), notBefore });
				}),
			);
		}
	} catch (thrown) {
		world.log("error", "could not look for connections to be synced", { reason: asServiceError(thrown).message });
	}
}
