/** Which part of an organisation's store a search may see. */

import type { Filter } from "./filter.ts";
import type { DocumentId } from "./id.ts";

export interface Scope {
	/** An empty list means every container. */
	readonly containerTags: readonly string[];
	/** Whether a document must have all the tags or any of them. A memory is in one container, so for memories it is always any. */
	readonly tagsMatch: "all" | "any";
	readonly filter: Filter | null;
	readonly document: DocumentId | null;
	/** An exact path, or a prefix when it ends in `/`. */
	readonly filepath: string | null;
}

export const wholeOrganisation: Scope = { containerTags: [], tagsMatch: "all", filter: null, document: null, filepath: null };

export function inContainer(tag: string): Scope {
	return { ...wholeOrganisation, containerTags: [tag], tagsMatch: "any" };
}

export function isUnrestricted(scope: Scope): boolean {
	return scope.containerTags.length === 0 && scope.filter === null && scope.document === null && scope.filepath === null;
}

/** Whether a document's path matches the path of a scope. */
export function pathMatches(path: string | null, wanted: string | null): boolean {
	if (wanted === null) return true;
	if (path === null) return false;
	return wanted.endsWith("/") ? path.startsWith(wanted) : path === wanted;
}

/** Whether a document's tags match the tags of a scope. */
export function tagsMatch(tags: readonly string[], scope: Scope): boolean {
	if (scope.containerTags.length === 0) return true;
	return scope.tagsMatch === "all" ? scope.containerTags.every((tag) => tags.includes(tag)) : scope.containerTags.some((tag) => tags.includes(tag));
}
