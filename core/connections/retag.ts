/** When containers are merged, their connections put documents into the target from then on. */

import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { connectionStore } from "./connection-store.ts";

/** A sync that is running asks for the containers before each document. */
export async function retagConnections(sources: readonly string[], target: string, records: RecordStore, world: World): Promise<void> {
	const store = connectionStore(records, world);
	const isMeant = (tags: readonly string[]) => tags.some((tag) => sources.includes(tag));
	for (const { id } of (await store.list()).filter(({ containerTags }) => isMeant(containerTags))) {
		await store.amend(id, (known) => ({ ...known, containerTags: [...new Set(known.containerTags.map((tag) => (sources.includes(tag) ? target : tag)))] }));
	}
}
