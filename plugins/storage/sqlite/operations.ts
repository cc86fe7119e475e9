/** All writes there are, as the writer thread knows them. */

import { accountOperations } from "./account-operations.ts";
import { chunkOperations } from "./chunk-operations.ts";
import type { Connection } from "./connection.ts";
import { containerOperations } from "./container-operations.ts";
import { documentOperations } from "./document-operations.ts";
import { erasureOperations } from "./erasure-operations.ts";
import { eventOperations } from "./event-operations.ts";
import { healthOperations, type WriterHealth } from "./health-operations.ts";
import { jobOperations } from "./job-operations.ts";
import { memoryOperations } from "./memory-operations.ts";
import { profileOperations } from "./profile-operations.ts";
import { recordOperations } from "./record-operations.ts";
import { removalOperations } from "./removal-operations.ts";
import { spaceOperations } from "./space-operations.ts";
import { textChangeOperations } from "./text-change-operations.ts";

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
