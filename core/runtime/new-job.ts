/** Makes jobs for the queue, with new ids. */

import { type JobId, newId, type OrganisationId } from "../model/id.ts";
import type { NewJob, Task } from "../ports/job-queue.ts";
import type { World } from "../ports/world.ts";

/** It is due at once. */
export function newJob(task: Task, subject: string, organisation: OrganisationId, world: World): NewJob {
	const id = newId<JobId>(world.randomBytes, world.now());
	return { id, organisation, task, subject, notBefore: world.steadyNow(), trace: world.observer?.traceparent() ?? null };
}

/** When a job is due that shall run at a moment of the wall clock: after as long as that is ahead now. */
export function dueAt(moment: Date, { now, steadyNow }: Pick<World, "now" | "steadyNow">): Date {
	return new Date(steadyNow().getTime() + moment.getTime() - now().getTime());
}
