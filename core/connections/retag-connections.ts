/** When containers are merged, their connections put new documents into the target. A running sync reads the containers of its connection before each document. */

import { type ClaimParts, releaseSource } from "./claim-source.ts";
import { connectionStore } from "./connection-store.ts";

export async function retagConnections(sources: readonly string[], target: string, parts: ClaimParts): Promise<void> {
	const store = connectionStore(parts.records, parts.world);
	const isAffected = (tags: readonly string[]) => tags.some((tag) => sources.includes(tag));
	for (const connection of (await store.list()).filter(({ containerTags }) => isAffected(containerTags))) {
		await releaseSource(connection, parts);
		await store.amend(connection.id, (known) => ({
			...known,
			containerTags: [...new Set(known.containerTags.map((tag) => (sources.includes(tag) ? target : tag)))],
		}));
	}
}
