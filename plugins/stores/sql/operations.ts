/** All writes there are, as the writer thread knows them. */

import type { Connection } from "../sqlite/connection.ts";
import { accountOperations } from "./account-operations.ts";
import { containerOperations } from "./container-operations.ts";
import { chunkOperations } from "./documents/chunk-operations.ts";
import { documentOperations } from "./documents/document-operations.ts";
import { removalOperations } from "./documents/removal-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { jobOperations } from "./job-operations.ts";
import { memoryOperations } from "./memories/memory-operations.ts";
import { profileOperations } from "./memories/profile-operations.ts";
import { recordOperations } from "./record-operations.ts";
import { spaceOperations } from "./spaces/space-operations.ts";
import { erasureOperations } from "./upkeep/erasure-operations.ts";
import { healthOperations, type WriterHealth } from "./upkeep/health-operations.ts";
import { textChangeOperations } from "./upkeep/text-change-operations.ts";

export function createOperations(connection: Connection, health: WriterHealth = { damage: null, wroteAt: null }) {
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
		...textChangeOperations(connection),
		...healthOperations(connection, health),
	};
}

export type AllOperations = ReturnType<typeof createOperations>;
