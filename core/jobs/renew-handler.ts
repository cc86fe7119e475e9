/**
 * The job `renew`: extracts memories anew, a few documents at a time, where they are from other memory extractors or versions.
 * Memories that a person has decided about are kept. It is claimed only when no other job is due, and resumes after a stop.
 */

import { asServiceError } from "../errors/fail.ts";
import { meteredStep } from "../language/meter.ts";
import { extractorIdentity } from "../memories/extractor-identity.ts";
import { extractTogether, rememberTogether } from "../memories/remember.ts";
import type { Document } from "../model/document.ts";
import type { Parts } from "../parts.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { newJob } from "../runtime/new-job.ts";
import type { Handler } from "./worker.ts";

/** Documents in a turn: well under a second, so that new documents do not wait. */
const documentsPerTurn = 10;
const subject = "memories";

export function renewHandler(parts: Parts, oneAtATime: KeyedMutex): Handler {
	const identity = extractorIdentity(parts.memoryExtractors);
	return ({ organisation }) => {
		const tenant = parts.storage.organisation(organisation);
		return {
			run: async (signal) => {
				const documents = await tenant.documents.extractedByOthers(identity, documentsPerTurn);
				for (const { id } of documents) {
					signal.throwIfAborted();
					await oneAtATime(`document ${organisation} ${id}`, async () => {
						const document = await tenant.documents.get(id);
						if (document?.taskType === "memory" && document.status === "done" && document.dreamingStatus === "done")
							await renew(document, identity, tenant, parts, oneAtATime, signal);
					});
				}
				if (documents.length === documentsPerTurn) await parts.storage.jobs.add(newJob("renew", subject, organisation, parts.world));
			},
			reason: asServiceError,
			failed: async (thrown, retryAt) => {
				parts.world.log("warn", "memories could not be extracted anew", { code: asServiceError(thrown).code, retryAt });
			},
		};
	};
}

/** The document's status does not change; after a permanent failure its memories stay as they are. */
async function renew(document: Document, identity: string, tenant: TenantStore, parts: Parts, oneAtATime: KeyedMutex, signal: AbortSignal): Promise<void> {
	const { id, revision, updatedAt } = document;
	const step = meteredStep(tenant.records, parts.world, signal);
	try {
		const chunks = await tenant.documents.chunksOf(id);
		const given = { ...parts, tenant, oneAtATime };
		await rememberTogether(await extractTogether([{ document, chunks, step, isAnew: true }], given), given);
	} catch (thrown) {
		if (signal.aborted || asServiceError(thrown).mayPass) throw thrown;
		parts.world.log("error", "the memories of a document could not be extracted anew", { document: id, cause: String(thrown) });
	}
	await tenant.documents.setDreaming(id, revision, "done", updatedAt, identity);
}

/** At the start. With a language model nothing is extracted anew: every document would have to be paid again. */
export async function enqueueRenewals({ storage, memoryExtractors, modelGateway, world }: Parts): Promise<void> {
	if (modelGateway !== null) return;
	const identity = extractorIdentity(memoryExtractors);
	for (const { id } of await storage.accounts.organisations()) {
		const [first] = await storage.organisation(id).documents.extractedByOthers(identity, 1);
		if (first !== undefined) await storage.jobs.add(newJob("renew", subject, id, world));
	}
}
