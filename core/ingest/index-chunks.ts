/** Stage four: publishes what is staged. */

import { fail } from "../errors/fail.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { describe } from "./describe.ts";
import { keptExtractionKey } from "./extract.ts";
import type { Embedded, Indexed } from "./hand-offs.ts";

export async function indexChunks({ staged, ...chunked }: Embedded, tenant: TenantStore, world: World): Promise<Indexed> {
	const { document } = chunked;
	const { id, revision } = document;
	const found = describe(chunked);
	// At the same time, so that one write to the disk serves both.
	const kept = await Promise.all([staged, tenant.documents.describe(id, revision, found)]);
	const publishedAt = world.now();
	// A write that found its revision gone: the document was changed or deleted meanwhile, and this run is void.
	if (kept.includes(false) || !(await tenant.documents.publish(id, revision, publishedAt))) throw fail("DOCUMENT_SUPERSEDED", id);
	if (document.content.kind !== "text") await tenant.blobs.remove(keptExtractionKey(document));
	return { ...chunked, document: { ...document, findings: { ...document.findings, ...found } }, publishedAt };
}
