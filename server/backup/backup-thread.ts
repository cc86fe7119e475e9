/** Entry point of the thread that takes a backup. SQLite copies the tables in one synchronous call, which would delay requests in the main thread. */

import { parentPort, workerData } from "node:worker_threads";
import { fail } from "../../core/errors/fail.ts";
import { loadConfig } from "../boot/load-config.ts";
import type { Settings } from "../settings/settings.ts";
import { storeToolsOf } from "./store-tools.ts";
import { writeBackup } from "./write-backup.ts";

export interface BackupThreadData {
	readonly settings: Settings;
	readonly file: string;
}

const { settings, file }: BackupThreadData = workerData;
const { config } = await loadConfig(settings.config);
const { use, dataDir } = settings;
const store = await storeToolsOf(use, config);
if (store === null) throw fail("COMMAND_INVALID", `the storage ${use.storage} keeps its data outside the data folder: use the backup tools of its database`);
await writeBackup(file, { dataDir, store, now: new Date(), progress: () => undefined });
parentPort?.postMessage("done");
