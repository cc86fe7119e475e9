/**
 * The job `renew`: extracts memories again from documents whose memories are from other memory extractors or other versions of them, a few
 * documents at a time. Memories that a person has decided about are kept. It is claimed only if no other job is due, and resumes after a
 * restart.
 */

import { asServiceError } from "../errors/fail.ts";
import { meteredStep } from "../language/step.ts";
import { extractorIdentity } from "../memories/extractor-identity.ts";
import { extractTogether, rememberTogether } from "../memories/remember.ts";
import type { Document } from "../model/document.ts";
import type { Parts } from "../parts.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import type { Handler } from "./worker.ts";

/** Documents per job: they take well under a second, so that new documents do not wait. */
const documentsPerTurn = 10;
const jobSubject = "memories";

export function renewHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const identity = extractorIdentity(parts.memoryExtractors);
	return (job) => {
		const { organisation } = job;
		const tenant = parts.storage.organisation(organisation, job);
		return {
			run: async (signal) => {
				const documents = await tenant.documents.extractedByOthers(identity, documentsPerTurn);
				for (const { id } of documents) {
					signal.throwIfAborted();
					await oneAtATime(
						`document ${organisation} ${id}`,
						async () => {
							const document = await tenant.documents.get(id);
							if (document?.taskType === "memory" && document.status === "done" && document.dreamingStatus === "done")
								await renewDocument(document, identity, tenant, parts, oneAtATime, signal);
						},
						organisation,
					);
				}
				if (documents.length === documentsPerTurn) await parts.storage.jobs.add(newJob("renew", jobSubject, organisation, parts.world));
			},
			toServiceError: asServiceError,
			onFailure: async (thrown, retryAt) => {
				parts.world.log("warn", "memories could not be extracted again", { code: asServiceError(thrown).code, retryAt });
			},
		};
	};
}

/** Extracts the memories of one document again. Its status does not change; after a permanent failure its memories stay as they are. */
async function renewDocument(
	document: Document,
	identity: string,
	tenant: TenantStore,
	parts: Parts,
	oneAtATime: KeyedMutex,
	signal: AbortSignal,
): Promise<void> {
	const { id, revision, updatedAt } = document;
	const step = meteredStep(tenant.records, parts.world, signal);
	try {
		const chunks = await tenant.documents.chunksOf(id);
		const rememberParts = { ...parts, tenant, oneAtATime };
		const { leftOut } = await rememberTogether(await extractTogether([{ document, chunks, step, isAnew: true }], rememberParts), rememberParts);
		if (leftOut.has(id)) return;
	} catch (thrown) {
		if (signal.aborted || asServiceError(thrown).mayPass) throw thrown;
		parts.world.log("error", "the memories of a document could not be extracted again", { document: id, cause: String(thrown) });
	}
	await tenant.documents.setDreaming(id, revision, "done", updatedAt, identity);
}

/** Adds `renew` jobs at the start of the server. With a language model nothing is extracted again, since every document would have to be paid for again. */
export async function enqueueRenewals({ storage, memoryExtractors, modelGateway, world }: Parts): Promise<void> {
	if (modelGateway !== null) return;
	const identity = extractorIdentity(memoryExtractors);
	for (const { id } of await storage.accounts.organisations()) {
		const [first] = await storage.organisation(id).documents.extractedByOthers(identity, 1);
		if (first !== undefined) await storage.jobs.add(newJob("renew", jobSubject, id, world));
	}
}
