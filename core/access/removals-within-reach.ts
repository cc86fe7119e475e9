/** Removals as a key with bounds may use them: it brings back what it could have removed. */

import type { DocumentStore } from "../ports/document-store.ts";
import type { RemovalStore } from "../ports/removal-store.ts";
import type { Bounds } from "./bounds.ts";
import { documentGate } from "./document-gate.ts";

export function removalsWithinReach(inner: RemovalStore, documents: DocumentStore, bounds: Bounds): RemovalStore {
	const gate = documentGate(documents, bounds);
	const seenOf: RemovalStore["list"] = async (removal, now) => (await inner.list(removal, now)).filter(({ containerTags }) => bounds.sees(containerTags));
	return {
		setAside: async (id, removal, expiresAt, now) => (await gate.opens(id)) && inner.setAside(id, removal, expiresAt, now),
		list: async (removal, now) => (await seenOf(removal, now)).map((each) => ({ ...each, containerTags: bounds.seen(each.containerTags) })),
		bringBack: async (removal, id, job, now) => {
			const kept = (await seenOf(removal, now)).find((each) => each.id === id);
			if (kept === undefined) return null;
			bounds.demandWritable(kept.containerTags);
			return inner.bringBack(removal, id, job, now);
		},
	};
}
