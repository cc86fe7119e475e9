/** Keeps the description of a container up to date. It consists of the words that its newest documents have in common. */

import { inContainer } from "../model/scope.ts";
import type { Parts } from "../parts.ts";
import type { Job } from "../ports/job-queue.ts";
import type { TenantStore } from "../ports/storage.ts";
import { topicsOf } from "../ranking/topics.ts";
import { newJob } from "../runtime/new-job.ts";

const documentsMax = 100;
const topicsMax = 12;
/** The shortest time between two descriptions of a container: counting words takes some milliseconds, and topics change slowly. */
const intervalMsMin = 60_000;
/** How many recently described containers are remembered; with more, one may be described sooner than necessary. */
const rememberedMax = 10_000;

/** Creates a function that describes a container after something was added to it. A worker has one for all its containers. */
export function createDescriber({ storage, world }: Pick<Parts, "storage" | "world">): (job: Job, tenant: TenantStore) => Promise<void> {
	const describedAt = new Map<string, number>();
	return async ({ organisation, subject: tag }, tenant) => {
		const key = `${organisation} ${tag}`;
		const waitMs = (describedAt.get(key) ?? Number.NEGATIVE_INFINITY) + intervalMsMin - world.elapsedMs();
		if (waitMs > 0) {
			// Another job describes it later, so that the last of many additions is included. Waiting jobs for one container become one.
			const notBefore = new Date(world.steadyNow().getTime() + waitMs);
			await storage.jobs.add({ ...newJob("remember", tag, organisation, world), notBefore });
			return;
		}
		if (describedAt.size >= rememberedMax) describedAt.clear();
		if (await describeContainer(tag, tenant)) describedAt.set(key, world.elapsedMs());
	};
}

/** @returns whether something was written. */
async function describeContainer(tag: string, { containers, documents }: TenantStore): Promise<boolean> {
	const page = { offset: 0, limit: documentsMax, sort: "createdAt", order: "desc" } as const;
	const [container, listed] = await Promise.all([containers.get(tag), documents.list(inContainer(tag), ["done"], page, false)]);
	const texts = listed.documents.map(({ findings }) => `${findings.title ?? ""}\n${findings.summary ?? ""}`);
	const description = topicsOf(texts, topicsMax)
		.map(({ word }) => word)
		.join(", ");
	if (container === null || description === "" || description === container.description) return false;
	return containers.describe(tag, description);
}
