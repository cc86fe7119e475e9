/**
 * What becomes of a container's documents when the process has ended while their memories were extracted: each is read by itself, and one
 * that ends the process every time is given up. The warning on a document tells it from one that only waits for the language model.
 */

import { extractorIdentity } from "../memories/extractor-identity.ts";
import type { Document } from "../model/document.ts";
import type { Warning } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { TenantStore } from "../ports/storage.ts";

interface Reading {
	readonly tenant: TenantStore;
	readonly parts: Parts;
	/** Whether one document is read at a time, because the process has ended several times. */
	readonly isAlone: boolean;
}

/** On a document whose memories wait for the language model. It is removed when they are extracted. */
export const waitingWarning = {
	code: "MEMORIES_WAIT",
	message: "the language model does not answer; the memories and the summary of this document are extracted when it does",
};

/** On a document whose text is searchable, but not its memories. */
export const failedWarning = { code: "MEMORIES_FAILED", message: "no memories could be extracted from this document; its text is searchable" };

export interface CrashPlan {
	/** Each document is read by itself, so that it is known which one the next crash is due to. */
	readonly isAlone: boolean;
	/**
	 * After a crash with one document in hand the job ends with the next that is done, and crashes are counted anew: none of them may count for
	 * another one. That may be the second while the oldest waits for the model; one that always crashes is still given up, being tried first.
	 */
	readonly endsAfterFirst: boolean;
	/** One document is given up and none is read. */
	readonly givesUp: boolean;
}

/** @param crashes how often in a row the process has ended with the job in hand */
export function planAfterCrashes(crashes: number): CrashPlan {
	return {
		isAlone: crashes >= limits.crashesBesideOthersMax,
		endsAfterFirst: crashes > limits.crashesBesideOthersMax,
		givesUp: crashes >= limits.crashesMax,
	};
}

/**
 * Those of the documents that are still due. One that is read alone loses the warning that it waits, and gets it again if it fails for want
 * of the model: so the one that ends the process can be told from an older one that waits.
 */
export async function takeInHand(documents: readonly Document[], { tenant, isAlone }: Reading): Promise<readonly Document[]> {
	const due = await stillDue(documents, tenant);
	if (!isAlone) return due;
	const inHand: Document[] = [];
	for (const document of due) {
		const warnings = otherWarnings(document);
		if (isWaiting(document)) await tenant.documents.describe(document.id, document.revision, { warnings });
		inHand.push({ ...document, findings: { ...document.findings, warnings } });
	}
	return inHand;
}

/** The document that ends the process each time, or none. It is the second one if the oldest still waits for the model. */
export async function deadlyOf(tag: string, { documents }: TenantStore): Promise<readonly Document[]> {
	const firstTwo = await documents.dreaming(tag, 2);
	const deadly = firstTwo.find((document) => !isWaiting(document)) ?? firstTwo[0];
	return deadly === undefined ? [] : [deadly];
}

/** Again and again the process has ended while it had nothing in hand but this document of the container. It is not tried again. */
export async function giveUp(deadly: readonly Document[], { tenant, parts }: Reading): Promise<void> {
	for (const document of await stillDue(deadly, tenant)) {
		parts.world.log("error", "the memories of a document are given up: the process ended each time that they were extracted", { document: document.id });
		await markDone(document, [failedWarning], tenant, parts);
	}
}

export async function markDone(
	document: Document,
	newWarnings: readonly Warning[],
	{ documents }: TenantStore,
	{ memoryExtractors, world }: Parts,
): Promise<void> {
	const { id, revision, findings } = document;
	const warnings = [...otherWarnings(document), ...newWarnings];
	if (newWarnings.length > 0 || warnings.length !== findings.warnings.length) await documents.describe(id, revision, { warnings });
	await documents.setDreaming(id, revision, "done", world.now(), extractorIdentity(memoryExtractors));
}

export function otherWarnings({ findings: { warnings } }: Document): Document["findings"]["warnings"] {
	return warnings.filter(({ code }) => code !== waitingWarning.code);
}

function isWaiting({ findings: { warnings } }: Document): boolean {
	return warnings.some(({ code }) => code === waitingWarning.code);
}

/** Those of the documents that are still due. They are loaded again, since another job may have processed them in the meantime. */
async function stillDue(documents: readonly Document[], tenant: TenantStore): Promise<readonly Document[]> {
	return (await tenant.documents.getMany(documents.map(({ id }) => id))).filter(isDue);
}

/** The `ingest` job of a document may be extracting its memories until it is done; two jobs at once would save each memory twice. */
function isDue({ taskType, dreamingStatus, status, publishedRevision, revision }: Document): boolean {
	return taskType === "memory" && dreamingStatus === "dreaming" && status === "done" && publishedRevision === revision;
}
