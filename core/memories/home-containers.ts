/** The containers in which a document's memories are kept, and what memory extractors are given about these containers. */

import type { Document } from "../model/document.ts";
import { pathMatches } from "../model/scope.ts";
import type { TenantStore } from "../ports/storage.ts";

export interface HomeContainers {
	readonly containerTags: readonly string[];
	/** What was said of these containers, in their order; null when nothing was. */
	readonly entityContext: string | null;
}

/** By the document's current tags: it may have moved since it was read. None when it is gone. */
export async function homeContainersOf(document: Document, tenant: TenantStore): Promise<HomeContainers> {
	return (await homeContainersOfAll([document], tenant))(document);
}

/** The same for several documents: the tags of all in one look-up, each container once. */
export async function homeContainersOfAll(
	documents: readonly Document[],
	{ documents: store, containers }: TenantStore,
): Promise<(document: Document) => HomeContainers> {
	const tags = await store.tagsOf(documents.map(({ id }) => id));
	const distinct = [...new Set([...tags.values()].flat())];
	const known = new Map(await Promise.all(distinct.map(async (tag) => [tag, await containers.get(tag)] as const)));
	return ({ id, filepath }) => {
		// A document without a path is never excluded by a list of paths.
		const isOpen = (tag: string) => filepath === null || (known.get(tag)?.memoryFilesystemPaths?.some((path) => pathMatches(filepath, path)) ?? true);
		const containerTags = (tags.get(id) ?? []).filter(isOpen);
		const contexts = new Set(containerTags.flatMap((tag) => known.get(tag)?.entityContext ?? []));
		return { containerTags, entityContext: contexts.size === 0 ? null : [...contexts].join("\n\n") };
	};
}
