/** The job `merge`: moves the contents of some containers into another. The merges of one organisation run one after another. */

import { endRetagging, retagConnections } from "../connections/claim-source.ts";
import { isFinished, type Merge, mergeStore } from "../containers/merge.ts";
import { mergeInto } from "../containers/merge-into.ts";
import { asServiceError } from "../errors/fail.ts";
import { inContainer } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { Parts } from "../parts.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import type { Handler } from "./worker.ts";

export function mergeHandler({ storage, digest, world }: Pick<Parts, "storage" | "digest" | "world">, oneAtATime: KeyedMutex): Handler {
	return (job) => {
		const { organisation, subject } = job;
		const tenant = storage.organisation(organisation, job);
		const merges = mergeStore(tenant.records, world);
		return {
			// Two merges that move the same documents in opposite directions would never end if they ran concurrently.
			run: (signal) =>
				oneAtATime(
					`merges ${organisation}`,
					async () => {
						const storedMerge = await merges.get(subject);
						if (storedMerge === null || isFinished(storedMerge)) return;
						// The contents are counted once, before anything is moved, since a second attempt would count only the rest.
						const merge =
							storedMerge.status === "running"
								? storedMerge
								: await merges.put({ ...storedMerge, ...(await countOf(storedMerge, tenant, world.now())), status: "running" });
						await retagConnections(merge.sourceTags, merge.targetTag, { records: tenant.records, digest, world });
						for (const source of merge.sourceTags) await mergeInto(merge.targetTag, source, { organisation, tenant, jobs: storage.jobs, world }, signal);
						await endRetagging(merge.sourceTags, { records: tenant.records, world });
						await recordEvent(merge, tenant, world.now());
						await merges.put({ ...merge, status: "done" });
					},
					organisation,
				),
			toServiceError: asServiceError,
			onFailure: async (thrown, retryAt) => {
				const { code, message } = asServiceError(thrown);
				world.log("warn", "containers could not be merged", { merge: subject, code, retryAt });
				const merge = await merges.get(subject);
				if (merge === null || retryAt !== null) return;
				await endRetagging(merge.sourceTags, { records: tenant.records, world });
				await merges.put({ ...merge, status: "failed", error: { code, message } });
			},
		};
	};
}

async function countOf({ sourceTags }: Merge, { documents, memories }: TenantStore, now: Date): Promise<Pick<Merge, "documents" | "memories">> {
	const counts = { documents: 0, memories: 0 };
	for (const tag of sourceTags) {
		const page = { offset: 0, limit: 1, sort: "createdAt", order: "asc" } as const;
		counts.documents += (await documents.list(inContainer(tag), documentStatuses, page, false)).total;
		counts.memories += await memories.count({ scope: inContainer(tag), includeForgotten: false, now });
	}
	return counts;
}

async function recordEvent({ by, sourceTags, targetTag, documents, memories }: Merge, { events }: TenantStore, at: Date): Promise<void> {
	const facts = { by, sourceTags, documents, memories };
	await events.append({ type: "container.merged", at, subject: targetTag, containerTags: [targetTag], facts });
}
