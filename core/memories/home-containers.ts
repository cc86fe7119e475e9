/** The containers in which a document's memories are stored, and the description of them for memory extractors. */

import type { Document } from "../model/document.ts";
import { pathMatches } from "../model/scope.ts";
import type { TenantStore } from "../ports/storage.ts";

export interface HomeContainers {
	readonly containerTags: readonly string[];
	/** The descriptions (`entityContext`) of these containers, in their order; null if there are none. */
	readonly entityContext: string | null;
}

/** The home containers of a document by its current tags, since it may have moved. Empty if it is gone. */
export async function homeContainersOf(document: Document, tenant: TenantStore): Promise<HomeContainers> {
	return (await homeContainersOfAll([document], tenant))(document);
}

/** The same for several documents. The tags of all are read with one query, and each container once. */
export async function homeContainersOfAll(
	documents: readonly Document[],
	{ documents: store, containers }: TenantStore,
): Promise<(document: Document) => HomeContainers> {
	const tags = await store.tagsOf(documents.map(({ id }) => id));
	const distinctTags = [...new Set([...tags.values()].flat())];
	const containerByTag = new Map(await Promise.all(distinctTags.map(async (tag) => [tag, await containers.get(tag)] as const)));
	return ({ id, filepath }) => {
		// A document without a path is never excluded by a list of paths.
		const isHome = (tag: string) => filepath === null || (containerByTag.get(tag)?.memoryFilesystemPaths?.some((path) => pathMatches(filepath, path)) ?? true);
		const containerTags = (tags.get(id) ?? []).filter(isHome);
		const contexts = new Set(containerTags.flatMap((tag) => containerByTag.get(tag)?.entityContext ?? []));
		return { containerTags, entityContext: contexts.size === 0 ? null : [...contexts].join("\n\n") };
	};
}
