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
export async function homeContainersOf({ id, filepath }: Document, { documents, containers }: TenantStore): Promise<HomeContainers> {
	const tags = (await documents.tagsOf([id])).get(id) ?? [];
	const known = await Promise.all(tags.map(async (tag) => ({ tag, container: await containers.get(tag) })));
	// A document without a path is never excluded by a list of paths.
	const open = known.filter(({ container }) => filepath === null || (container?.memoryFilesystemPaths?.some((path) => pathMatches(filepath, path)) ?? true));
	const contexts = new Set(open.flatMap(({ container }) => container?.entityContext ?? []));
	return { containerTags: open.map(({ tag }) => tag), entityContext: contexts.size === 0 ? null : [...contexts].join("\n\n") };
}
