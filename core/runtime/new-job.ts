/** Makes a job for the queue, with a new id. It is due at once. */

import { type JobId, newId, type OrganisationId } from "../model/id.ts";
import type { NewJob, Task } from "../ports/job-queue.ts";
import type { World } from "../ports/world.ts";

export function newJob(task: Task, subject: string, organisation: OrganisationId, world: World): NewJob {
	const id = newId<JobId>(world.randomBytes, world.now());
	world.observer?.jobCreated(id);
	return { id, organisation, task, subject, notBefore: world.now() };
}
