/** A job as it enters the queue: due at once, under an id of its own. */

import { type JobId, newId, type OrganisationId } from "../model/id.ts";
import type { NewJob, Task } from "../ports/job-queue.ts";
import type { World } from "../ports/world.ts";

export function newJob(task: Task, subject: string, organisation: OrganisationId, world: World): NewJob {
	return { id: newId<JobId>(world.randomBytes, world.now()), organisation, task, subject, notBefore: world.now() };
}
