/** All ports over one SQL engine. */

import type { StoragePlugin } from "cairn-memory";
import { accountStore } from "./accounts.ts";
import { containerStore } from "./containers.ts";
import { documentStore } from "./documents/documents.ts";
import { removalStore } from "./documents/removals.ts";
import { eventLog } from "./events.ts";
import type { SqlEngine } from "./executor.ts";
import { textSource, vectorSource } from "./index-source.ts";
import { jobQueue } from "./jobs.ts";
import { memoryStore } from "./memories/memories.ts";
import { profileStore } from "./memories/profiles.ts";
import { recordStore } from "./records.ts";
import { spaceStore } from "./spaces/spaces.ts";
import { blobsNeeded } from "./upkeep/blobs-needed.ts";

export type SqlStores = Pick<StoragePlugin, "organisation" | "vectorSource" | "textSource" | "jobs" | "accounts" | "spaces" | "blobsNeeded">;

/** @param scans for what goes through whole tables in the background, where an engine reads that on a connection of its own */
export function sqlStores(engine: SqlEngine, scans: SqlEngine = engine): SqlStores {
	return {
		organisation: (organisation) => ({
			documents: documentStore(organisation, engine),
			memories: memoryStore(organisation, engine),
			containers: containerStore(organisation, engine),
			profiles: profileStore(organisation, engine),
			records: recordStore(organisation, engine),
			removals: removalStore(organisation, engine),
			events: eventLog(organisation, engine),
		}),
		vectorSource: (organisation, space) => vectorSource(organisation, space, engine),
		textSource: (organisation) => textSource(organisation, engine),
		jobs: jobQueue(engine),
		accounts: accountStore(engine),
		spaces: spaceStore(scans),
		blobsNeeded: async (organisation, keys) => blobsNeeded(scans, organisation, keys),
	};
}
