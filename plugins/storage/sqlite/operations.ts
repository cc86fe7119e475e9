/** All writes there are, as the writer thread knows them. */

import { accountOperations } from "./account-operations.ts";
import { chunkOperations } from "./chunk-operations.ts";
import type { Connection } from "./connection.ts";
import { documentOperations } from "./document-operations.ts";
import { jobOperations } from "./job-operations.ts";
import { memoryOperations } from "./memory-operations.ts";
import { repeatable } from "./operation.ts";

export function createOperations(connection: Connection) {
	return {
		...accountOperations(connection),
		...documentOperations(connection),
		...chunkOperations(connection),
		...memoryOperations(connection),
		...jobOperations(connection),
		/** Tells that the writer is alive. */
		ping: repeatable((_nothing: null): void => undefined),
	};
}

export type AllOperations = ReturnType<typeof createOperations>;
