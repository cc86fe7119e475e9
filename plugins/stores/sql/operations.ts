/** All writes of the storage, by name. */

import { accountOperations } from "./accounts.ts";
import { containerOperations } from "./containers.ts";
import { chunkOperations } from "./documents/chunks.ts";
import { documentOperations } from "./documents/document-operations.ts";
import { removalOperations } from "./documents/removals.ts";
import { spaceOperations } from "./embedding-spaces.ts";
import { eventOperations } from "./events.ts";
import type { Executor } from "./executor.ts";
import { jobOperations } from "./jobs.ts";
import { memoryOperations } from "./memories/memory-operations.ts";
import { profileOperations } from "./memories/profiles.ts";
import { recordOperations } from "./records.ts";
import { changeLogOperations, erasureOperations } from "./upkeep.ts";

export function createOperations(connection: Executor) {
	return {
		...accountOperations(connection),
		...documentOperations(connection),
		...chunkOperations(connection),
		...memoryOperations(connection),
		...jobOperations(connection),
		...containerOperations(connection),
		...recordOperations(connection),
		...profileOperations(connection),
		...removalOperations(connection),
		...eventOperations(connection),
		...spaceOperations(connection),
		...erasureOperations(connection),
		...changeLogOperations(connection),
	};
}

export type AllOperations = ReturnType<typeof createOperations>;
