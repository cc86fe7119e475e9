/** Whether a document or a memory lies in a scope. */

import { type Document, type Filter, isCurrent, type Memory, type MemoryFilter, matches, pathMatches, type Scope, tagsMatch } from "cairn-memory";
import { wasThere } from "./moments.ts";
import type { Tables } from "./tables.ts";

export function documentInScope(document: Document, scope: Scope): boolean {
	if (scope.document !== null && scope.document !== document.id) return false;
	if (!tagsMatch(document.containerTags, scope) || !pathMatches(document.filepath, scope.filepath)) return false;
	return scope.filter === null || matches(scope.filter, document.metadata);
}

/** A memory lies in one container, and in every document and path that supports it. */
export function memoryInScope(memory: Memory, scope: Scope, tables: Tables): boolean {
	if (scope.containerTags.length > 0 && !scope.containerTags.includes(memory.containerTag)) return false;
	if (scope.document === null && scope.filepath === null && scope.filter === null) return true;
	const sources = sourcesOf(memory, tables);
	if (scope.document !== null && !sources.some(({ id }) => id === scope.document)) return false;
	if (scope.filepath !== null && !sources.some(({ filepath }) => pathMatches(filepath, scope.filepath))) return false;
	return scope.filter === null || memoryMatches(scope.filter, memory, sources);
}

/** A search sees what is current, unless it asks for what was forgotten too, or for another time. */
export function passesMemoryFilter(memory: Memory, memoryFilter: MemoryFilter, tables: Tables): boolean {
	return isInTime(memory, memoryFilter, tables) && memoryInScope(memory, memoryFilter.scope, tables);
}

function isInTime(memory: Memory, { includeForgotten, now, moment }: MemoryFilter, tables: Tables): boolean {
	if (moment === undefined) return includeForgotten || isCurrent(memory, now);
	return includeForgotten ? memory.createdAt <= moment.knownAt : wasThere(memory, moment, tables);
}

function sourcesOf(memory: Memory, { documents }: Tables): readonly Document[] {
	return [...new Set(memory.evidence.map(({ document }) => document))].flatMap((id) => documents.get(id) ?? []);
}

/** A key that the memory lacks is looked up in the documents that support it; one that fulfils the condition is enough, as with the elements of a list. */
function memoryMatches(filter: Filter, memory: Memory, sources: readonly Document[]): boolean {
	if (filter.kind === "and") return filter.parts.every((part) => memoryMatches(part, memory, sources));
	if (filter.kind === "or") return filter.parts.length === 0 || filter.parts.some((part) => memoryMatches(part, memory, sources));
	if (Object.hasOwn(memory.metadata, filter.key)) return matches(filter, memory.metadata);
	const condition = { ...filter, negate: false };
	return sources.some(({ metadata }) => matches(condition, metadata)) !== filter.negate;
}
