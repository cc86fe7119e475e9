/** Stage four: stages a revision, then publishes it. No search ever sees half a document. */

import { fail } from "../errors/fail.ts";
import type { VectorSpace } from "../model/vector.ts";
import type { Step } from "../plugin/contract.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { describe } from "./describe.ts";
import { keptExtractionKey } from "./extract.ts";
import type { Embedded, Indexed } from "./hand-offs.ts";

/** Chunks written in one go: small enough that other writers get their turn. */
const chunksPerWrite = 500;

export async function indexChunks(embedded: Embedded, rooms: OrganisationRooms, space: VectorSpace, world: World, step: Step): Promise<Indexed> {
	const { document } = embedded;
	const { id, revision } = document;
	const found = describe(embedded);
	const kept = await Promise.all([stage(embedded, rooms, space, step), rooms.documents.describe(id, revision, found)]);
	const publishedAt = world.now();
	// A write that found its revision gone: the document was changed or deleted meanwhile, and this run is void.
	if (kept.includes(false) || !(await rooms.documents.publish(id, revision, publishedAt))) throw fail("DOCUMENT_SUPERSEDED", id);
	if (document.content.kind !== "text") await rooms.blobs.remove(keptExtractionKey(document));
	return { ...embedded, document: { ...document, findings: { ...document.findings, ...found } }, publishedAt };
}

/** @returns false when the revision is gone. */
async function stage({ document, chunks, vectors }: Embedded, { documents }: OrganisationRooms, space: VectorSpace, step: Step): Promise<boolean> {
	const paired = chunks.flatMap((chunk, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ chunk, vector }];
	});
	for (let start = 0; start < paired.length; start += chunksPerWrite) {
		step.signal.throwIfAborted();
		if (!(await documents.stage(document.id, document.revision, space, paired.slice(start, start + chunksPerWrite)))) return false;
	}
	return true;
}
