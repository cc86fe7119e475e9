/** Removes the memories of a document that is only searched from now on. */

import type { Document } from "../model/document.ts";
import { idsDecidedByHand, wasForgottenByHand } from "../model/memory.ts";
import type { TenantStore } from "../ports/storage.ts";

/** Forgotten memories stay, because they must stay forgotten if memories are extracted again. */
export async function withdrawMemories({ id }: Document, { memories }: TenantStore, now: Date): Promise<void> {
	const known = await memories.ofDocument(id);
	const forgotten = idsDecidedByHand(known, wasForgottenByHand);
	const unsupported = known.map((memory) => memory.id).filter((memory) => !forgotten.has(memory));
	await memories.reground(id, [], unsupported, now);
}
