/** Stores the progress of a run, not too often, without making the run wait. */

import type { World } from "../ports/world.ts";
import type { Connection, SyncRun } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { progressed } from "./sync-run.ts";

/** Each report is a write to the disk. */
const reportEveryMs = 1_000;

export interface ProgressReport {
	readonly progress: (progress: NonNullable<SyncRun["progress"]>) => void;
	readonly put: () => void;
	readonly removed: () => void;
	readonly run: () => Pick<SyncRun, "id" | "documentsSynced" | "documentsRemoved">;
	readonly settled: () => Promise<void>;
}

export function reportProgress({ id, runs }: Connection, store: ConnectionStore, world: World): ProgressReport {
	const [begin] = runs;
	const run = { id: begin?.id ?? "", documentsSynced: begin?.documentsSynced ?? 0, documentsRemoved: begin?.documentsRemoved ?? 0 };
	let shown: SyncRun["progress"] = null;
	let reportedAt = world.elapsedMs();
	let writing: Promise<unknown> = Promise.resolve();
	const write = () => {
		if (world.elapsedMs() - reportedAt < reportEveryMs) return;
		reportedAt = world.elapsedMs();
		const news = { ...run, progress: shown };
		writing = writing.then(() => store.amend(id, (known) => progressed(known, news)).catch(() => null));
	};
	return {
		progress: (progress) => {
			shown = progress;
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
		settled: async () => void (await writing),
	};
}
