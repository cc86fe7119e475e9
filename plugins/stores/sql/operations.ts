/** All writes of the storage, by name: as programs, and as functions that run at once. */

import { accountOperations } from "./accounts.ts";
import { containerOperations } from "./containers.ts";
import { chunkOperations } from "./documents/chunks.ts";
import { documentOperations } from "./documents/document-operations.ts";
import { removalOperations } from "./documents/removals.ts";
import { spaceOperations } from "./embedding-spaces.ts";
import { organisationErasure } from "./erase-organisation.ts";
import { eventOperations } from "./events.ts";
import { contextOf, type DirectOperations, type Executor, type Operations, type Program, runHere, type SqlContext } from "./executor.ts";
import { jobOperations } from "./jobs.ts";
import { forgottenOperations } from "./memories/forgotten-memories.ts";
import { memoryOperations } from "./memories/memory-operations.ts";
import { profileOperations } from "./memories/profiles.ts";
import { recordOperations } from "./records.ts";
import { changeLogOperations, erasureOperations } from "./upkeep.ts";

export function createPrograms(context: SqlContext) {
	return {
		...accountOperations(context),
		...documentOperations(context),
		...chunkOperations(context),
		...memoryOperations(context),
		...forgottenOperations(context),
		...jobOperations(context),
		...containerOperations(context),
		...recordOperations(context),
		...profileOperations(context),
		...removalOperations(context),
		...eventOperations(context),
		...spaceOperations(context),
		...erasureOperations(context),
		...organisationErasure(context),
		...changeLogOperations(context),
	};
}

export type AllOperations = ReturnType<typeof createPrograms>;

/** For a connection that answers at once. */
export function createOperations(connection: Pick<Executor, "statement">): DirectOperations<AllOperations> {
	const programs: Operations<Program<unknown>> = createPrograms(contextOf(connection));
	const direct = Object.entries(programs).map(([name, { isDurable, run }]) => [name, { isDurable, run: (args: unknown) => runHere(run(args)) }]);
	return Object.fromEntries(direct);
}
