/** Writes a new version of a memory. The old version is kept but is no longer the latest. */

import { fail } from "../errors/fail.ts";
import { ageing } from "../model/ageing.ts";
import { type MemoryId, newId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Step } from "../plugin/contract.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import type { WriteDependencies } from "./create.ts";
import { findMemory, type MemoryReference } from "./find.ts";
import { timesOf } from "./temporal.ts";

export interface MemoryRevision {
	readonly text: string;
	/** Replaces all old metadata; if absent, the old metadata stays. */
	readonly metadata?: Metadata;
	/** If absent, the old value stays. */
	readonly isStatic?: boolean;
	/** Added to the new or old metadata. */
	readonly furtherMetadata: Metadata;
	/** Null removes the expiry; if absent, the old one stays. */
	readonly forgetAfter?: Date | null;
	readonly forgetReason?: string | null;
}

/** Another client may write a newer version between the look-up and the save. Both are then done again. */
const attemptsMax = 10;

/** @throws ServiceError `MEMORY_MISSING` */
export async function reviseMemory(
	containerTag: string,
	reference: MemoryReference,
	revision: MemoryRevision,
	{ tenant, embedder, world }: WriteDependencies,
	step: Step,
): Promise<Memory> {
	for (let attempt = 0; attempt < attemptsMax; attempt++) {
		const { saidAt, reviewAfter: _reviewAfter, indexedText, ...latest } = await findMemory(containerTag, reference, tenant.memories);
		// The day and the context of a text do not belong to another text.
		const context = revision.text === latest.text ? { ...(saidAt && { saidAt }), ...(indexedText && { indexedText }) } : {};
		const [vector] = await embedTexts([context.indexedText ?? revision.text], embedder, "document", step);
		if (vector === undefined) throw fail("EMBEDDING_MALFORMED", embedder.name, "did not come");
		const metadata = { ...(revision.metadata ?? latest.metadata), ...revision.furtherMetadata };
		const dates = timesOf(metadata);
		const now = world.now();
		const forgetAfter = revision.forgetAfter === undefined ? latest.forgetAfter : revision.forgetAfter;
		const memory: Memory = {
			...latest,
			...context,
			...dates,
			...ageing({ text: revision.text, forgetAfter }, dates.saidAt ?? context.saidAt ?? null, now),
			id: newId<MemoryId>(world.randomBytes, now),
			text: revision.text,
			isStatic: revision.isStatic ?? latest.isStatic,
			metadata,
			forgetAfter,
			forgetReason: revision.forgetAfter === null ? null : (revision.forgetReason ?? latest.forgetReason),
			version: latest.version + 1,
			parent: latest.id,
			root: latest.root ?? latest.id,
			isInference: false,
			isForgotten: false,
			extractor: null,
			createdAt: now,
			updatedAt: now,
		};
		if (await tenant.memories.save(embedder.space, [{ memory, vector }], [{ from: memory.id, to: latest.id, relation: "updates" }])) return memory;
	}
	throw fail("MEMORY_CONTESTED");
}
