/** The job `remember`: extracts the memories of a container's new documents, oldest first, one after another, and updates the container's description. */

import { createDescriber } from "../containers/describe-container.ts";
import { asServiceError } from "../errors/fail.ts";
import { meter } from "../language/meter.ts";
import { remember } from "../memories/remember.ts";
import { summarizeWithModel } from "../memories/summarize-with-model.ts";
import type { Document } from "../model/document.ts";
import type { Parts } from "../parts.ts";
import type { Job } from "../ports/job-queue.ts";
import type { TenantStore } from "../ports/storage.ts";
import { bucketsOf } from "../profile/buckets.ts";
import { sortMemories } from "../profile/sort-memories.ts";
import { modelSorting, sortWithModel } from "../profile/sort-with-model.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import { createStep } from "../runtime/step.ts";
import type { Handler } from "./worker.ts";

/** After this long the job ends and is queued again: new documents do not wait behind many old ones. */
const documentsPerTurn = 50;

export function rememberHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const describe = createDescriber(parts);
	/** How often a container has waited for the language model without progress. */
	const waits = new Map<string, number>();
	return (job) => {
		const container = `${job.organisation} ${job.subject}`;
		const tenant = parts.storage.organisation(job.organisation);
		return {
			run: async (signal) => {
				const documents = await tenant.documents.dreaming(job.subject, documentsPerTurn);
				for (const { id } of anotherFirst(documents, waits.get(container) ?? 0)) {
					signal.throwIfAborted();
					await oneAtATime(`document ${job.organisation} ${id}`, async () => {
						const document = await tenant.documents.get(id);
						if (document?.dreamingStatus === "dreaming" && document.publishedRevision === document.revision)
							await dream(document, tenant, parts, oneAtATime, signal);
					});
				}
				waits.delete(container);
				await sortAll(job, tenant, parts, signal);
				if (documents.length < documentsPerTurn) {
					await describe(job, tenant);
					await sortWithModel(job, tenant, parts, signal);
				} else await parts.storage.jobs.add(newJob("remember", job.subject, job.organisation, parts.world));
			},
			reason: asServiceError,
			failed: async (thrown, retryAt) => {
				if (asServiceError(thrown).retryAfterMs !== null) waits.set(container, (waits.get(container) ?? 0) + 1);
				parts.world.log("warn", "the memories of a container could not be drawn", { code: asServiceError(thrown).code, retryAt });
			},
		};
	};
}

/** Up to so many failures count as the model's; further ones may be the document's. */
const waitsTrusted = 2;

/**
 * Whether the language model fails, or only this document makes it fail, shows when it is asked about another document: every second
 * time the next is read before the oldest.
 */
function anotherFirst(documents: readonly Document[], waited: number): readonly Document[] {
	const [oldest, next, ...rest] = documents;
	return oldest !== undefined && next !== undefined && waited > waitsTrusted && waited % 2 === 1 ? [next, oldest, ...rest] : documents;
}

/** In small steps: each keeps the thread for about 20 ms. */
const sortedAtOnce = 500;

/** Sorts new memories into the buckets of the container's profile before a client asks for it. */
async function sortAll({ subject: tag }: Job, tenant: TenantStore, { embedder, modelGateway, world }: Parts, signal: AbortSignal): Promise<void> {
	const buckets = await bucketsOf(tag, tenant.containers, tenant.records, world.now());
	const step = { ...createStep(world, signal), spent: meter(tenant.records, world) };
	const others = await modelSorting(buckets, { tenant, modelGateway, world });
	while (!signal.aborted && (await sortMemories(tag, buckets, sortedAtOnce, { tenant, embedder, others }, step)) === sortedAtOnce);
}

/** The document has this warning as long as it is true. */
const waiting = { code: "MEMORIES_WAIT", message: "the language model does not answer; the memories and the summary of this document are drawn when it does" };

/** A document whose memories cannot be extracted does not hold up the others; a failure that may pass stops all until it has passed. */
async function dream(document: Document, tenant: TenantStore, parts: Parts, oneAtATime: KeyedMutex, signal: AbortSignal): Promise<void> {
	const { id, revision } = document;
	const step = { ...createStep(parts.world, signal), spent: meter(tenant.records, parts.world) };
	const before = document.findings.warnings;
	const lasting = before.filter(({ code }) => code !== waiting.code);
	try {
		const chunks = await tenant.documents.chunksOf(id);
		await remember(document, chunks, { ...parts, tenant, oneAtATime }, step);
		await summarizeWithModel(document, chunks, { ...parts, tenant }, step);
	} catch (thrown) {
		const { mayPass, retryAfterMs } = asServiceError(thrown);
		if (retryAfterMs !== null && lasting.length === before.length) await tenant.documents.describe(id, revision, { warnings: [...before, waiting] });
		if (signal.aborted || mayPass) throw thrown;
		parts.world.log("error", "the memories of a document could not be drawn", { document: id, cause: thrown instanceof Error ? thrown.stack : String(thrown) });
		step.warn("MEMORIES_FAILED", "no memories could be drawn from this document; its text is searchable");
	}
	const warnings = [...lasting, ...step.warnings()];
	if (warnings.length !== before.length || lasting.length !== before.length) await tenant.documents.describe(id, revision, { warnings });
	await tenant.documents.setDreaming(id, revision, "done", parts.world.now());
}
