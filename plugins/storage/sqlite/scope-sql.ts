/** Compiles a scope to the SQL of what a search may see: published chunks, and memories within reach. */

import type { SQLQueryBindings } from "bun:sqlite";
import type { MemoryReach, Scope } from "cairn";
import { allOf, documentFilter, type Fragment, memoryFilter } from "./filter-sql.ts";

/** The middle of a SELECT; `params` are those of `where`, `from` has none. */
export interface ScopedRows {
	readonly from: string;
	readonly where: string;
	readonly params: SQLQueryBindings[];
}

/** Chunks `c` of documents `d` that are published. An edition is one staging of a document, see `schema.ts`. */
export function chunkScope(organisation: string, scope: Scope): ScopedRows {
	const within = documentConditions(organisation, scope);
	const live = fragment("c.organisation = ?", organisation);
	const { sql, params } = allOf(within.length === 0 ? [live] : [live, fragment("d.organisation = ?", organisation), ...within]);
	return {
		from: "chunks c JOIN documents d ON d.organisation = c.organisation AND d.id = c.document AND d.published_edition = c.edition",
		where: sql,
		params: [...params],
	};
}

/** Documents `d`, published or not. */
export function documentScope(organisation: string, scope: Scope): ScopedRows {
	const { sql, params } = allOf([fragment("d.organisation = ?", organisation), ...documentConditions(organisation, scope)]);
	return { from: "documents d", where: sql, params: [...params] };
}

/** Memories `m` that are current, or all of them when the reach says so. */
export function memoryScope(organisation: string, reach: MemoryReach): ScopedRows {
	const current = fragment("m.is_latest = 1 AND m.is_forgotten = 0 AND (m.forget_after IS NULL OR m.forget_after > ?)", reach.now.getTime());
	const conditions = [fragment("m.organisation = ?", organisation), ...memoryConditions(organisation, reach.scope)];
	const { sql, params } = allOf(reach.includeForgotten ? conditions : [...conditions, current]);
	return { from: "memories m", where: sql, params: [...params] };
}

function documentConditions(organisation: string, scope: Scope): readonly Fragment[] {
	const conditions: Fragment[] = [];
	if (scope.document !== null) conditions.push(fragment("d.id = ?", scope.document));
	conditions.push(...tagConditions(organisation, scope));
	if (scope.filepath !== null) conditions.push(pathCondition("d", scope.filepath));
	if (scope.filter !== null) conditions.push(documentFilter(organisation, scope.filter));
	return conditions;
}

/** All tags: one condition for each. Any of them: one for the list. */
function tagConditions(organisation: string, { containerTags, tagsMatch }: Scope): readonly Fragment[] {
	if (containerTags.length === 0) return [];
	const tagged = "d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ? AND t.tag";
	if (tagsMatch === "all") return [...new Set(containerTags)].map((tag) => fragment(`${tagged} = ?)`, organisation, tag));
	return [fragment(`${tagged} IN (SELECT value FROM json_each(?)))`, organisation, JSON.stringify(containerTags))];
}

/** A memory's path and document are those of any document it was drawn from. */
function memoryConditions(organisation: string, scope: Scope): readonly Fragment[] {
	const conditions: Fragment[] = [];
	if (scope.containerTags.length > 0) conditions.push(fragment("m.container_tag IN (SELECT value FROM json_each(?))", JSON.stringify(scope.containerTags)));
	if (scope.document !== null)
		conditions.push(fragment("m.id IN (SELECT e.memory FROM memory_evidence e WHERE e.organisation = ? AND e.document = ?)", organisation, scope.document));
	if (scope.filepath !== null) {
		const path = pathCondition("s", scope.filepath);
		conditions.push({
			sql: `m.id IN (SELECT e.memory FROM documents s JOIN memory_evidence e ON e.organisation = s.organisation AND e.document = s.id
				WHERE s.organisation = ? AND ${path.sql})`,
			params: [organisation, ...path.params],
		});
	}
	if (scope.filter !== null) conditions.push(memoryFilter(organisation, scope.filter));
	return conditions;
}

/** A prefix is compared as a prefix: with LIKE a `_` in a path would stand for anything. The range lets an index serve it. */
function pathCondition(alias: "d" | "s", wanted: string): Fragment {
	if (!wanted.endsWith("/")) return fragment(`${alias}.filepath = ?`, wanted);
	const after = `${wanted.slice(0, -1)}0`; // "0" follows "/"
	return fragment(`${alias}.filepath >= ? AND ${alias}.filepath < ?`, wanted, after);
}

function fragment(sql: string, ...params: readonly SQLQueryBindings[]): Fragment {
	return { sql, params };
}
