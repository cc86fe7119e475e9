/** A new version of a known memory. The old one stays, and is no longer the latest. */

import { fail } from "../errors/fail.ts";
import { ageing } from "../model/ageing.ts";
import { type MemoryId, newId } from "../model/id.ts";
import type { Memory } from "../model/memory.ts";
import type { Metadata } from "../model/metadata.ts";
import type { Step } from "../plugin/contract.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import type { WritingParts } from "./create.ts";
import { findMemory, type MemoryName } from "./find.ts";
import { timesOf } from "./temporal.ts";

export interface MemoryRevision {
	readonly text: string;
	/** Replaces the old metadata as a whole; absent inherits them. */
	readonly metadata?: Metadata;
	/** Absent inherits it. */
	readonly isStatic?: boolean;
	/** Added to the metadata, new or inherited. */
	readonly furtherMetadata: Metadata;
	/** Null clears it; absent inherits it. */
	readonly forgetAfter?: Date | null;
	readonly forgetReason?: string | null;
}

/** Another client may write a newer version between our look and our write; then the newest is looked up again. */
const looksMax = 10;

/** @throws ServiceError `MEMORY_MISSING` */
export async function reviseMemory(
	containerTag: string,
	name: MemoryName,
	revision: MemoryRevision,
	{ tenant, embedder, world }: WritingParts,
	step: Step,
): Promise<Memory> {
	const [vector] = await embedTexts([revision.text], embedder, "document", step);
	if (vector === undefined) throw fail("EMBEDDING_MALFORMED", embedder.name, "did not come");
	for (let look = 0; look < looksMax; look++) {
		const { saidAt: _saidAt, reviewAfter: _reviewAfter, indexedText: _indexedText, ...old } = await findMemory(containerTag, name, tenant.memories);
		const metadata = { ...(revision.metadata ?? old.metadata), ...revision.furtherMetadata };
		const times = timesOf(metadata);
		const now = world.now();
		const forgetAfter = revision.forgetAfter === undefined ? old.forgetAfter : revision.forgetAfter;
		const memory: Memory = {
			...old,
			// Said by the client, and now, unless the attributes name a day.
			...times,
			...ageing({ text: revision.text, forgetAfter }, times.saidAt ?? null, now),
			id: newId<MemoryId>(world.randomBytes, now),
			text: revision.text,
			isStatic: revision.isStatic ?? old.isStatic,
			metadata,
			forgetAfter,
			forgetReason: revision.forgetAfter === null ? null : (revision.forgetReason ?? old.forgetReason),
			version: old.version + 1,
			parent: old.id,
			root: old.root ?? old.id,
			isInference: false,
			isForgotten: false,
			extractor: null,
			createdAt: now,
			updatedAt: now,
		};
		if (await tenant.memories.save(embedder.space, [{ memory, vector }], [{ from: memory.id, to: old.id, relation: "updates" }])) return memory;
	}
	throw fail("MEMORY_CONTESTED");
}
