/** All writes there are. */

import { accountOperations } from "./accounts.ts";
import { containerOperations } from "./containers.ts";
import { chunkOperations } from "./documents/chunk-operations.ts";
import { documentOperations } from "./documents/document-operations.ts";
import { removalOperations } from "./documents/removal-operations.ts";
import { eventOperations } from "./event-operations.ts";
import type { Executor } from "./executor.ts";
import { jobOperations } from "./job-operations.ts";
import { memoryOperations } from "./memories/memory-operations.ts";
import { profileOperations } from "./memories/profile-operations.ts";
import { recordOperations } from "./record-operations.ts";
import { spaceOperations } from "./spaces/space-operations.ts";
import { changeLogOperations } from "./upkeep/change-log.ts";
import { erasureOperations } from "./upkeep/erasure-operations.ts";

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
