/** Stores the progress of a sync run at most once a second, without making the run wait. */

import type { World } from "../ports/world.ts";
import type { Connection, SyncRun } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { withProgress } from "./sync-run.ts";

/** Reports are limited because each one is a write to the disk. */
const reportEveryMs = 1_000;

export interface ProgressReport {
	readonly progress: (progress: NonNullable<SyncRun["progress"]>) => void;
	readonly put: () => void;
	readonly removed: () => void;
	readonly run: () => Pick<SyncRun, "id" | "documentsSynced" | "documentsRemoved">;
	/** Resolves when the last report is stored. */
	readonly flush: () => Promise<void>;
}

export function reportProgress({ id, runs }: Connection, store: ConnectionStore, world: World): ProgressReport {
	const [latest] = runs;
	const run = { id: latest?.id ?? "", documentsSynced: latest?.documentsSynced ?? 0, documentsRemoved: latest?.documentsRemoved ?? 0 };
	let lastProgress: SyncRun["progress"] = null;
	let reportedAt = world.elapsedMs();
	let writing: Promise<unknown> = Promise.resolve();
	const write = () => {
		if (world.elapsedMs() - reportedAt < reportEveryMs) return;
		reportedAt = world.elapsedMs();
		const update = { ...run, progress: lastProgress };
		writing = writing.then(() => store.amend(id, (current) => withProgress(current, update)).catch(() => null));
	};
	return {
		progress: (progress) => {
			lastProgress = progress;
			write();
		},
		put: () => {
			run.documentsSynced += 1;
			write();
		},
		removed: () => {
			run.documentsRemoved += 1;
			write();
		},
		run: () => run,
		flush: async () => void (await writing),
	};
}
