/** Compiles what is asked for to SQL: a scope, which memories were known or so at another time, and the order of a page. */

import { isUnrestricted, type MemoryFilter, type Moment, type Page, type Scope } from "cairn-memory/stores";
import type { Binding } from "../executor.ts";
import { allOf, documentFilter, type Fragment, type Manner, memoryFilter } from "./metadata-sql.ts";

/** A condition with the values of its question marks. */
export interface Where {
	readonly where: string;
	readonly params: Binding[];
}

/** The middle of a SELECT that goes through all rows in scope; `params` are those of `where`, `from` has none. */
export interface ScopedRows extends Where {
	readonly from: string;
	/** The same for a SELECT that has few rows in hand and asks which of them are in scope. */
	readonly test: Where;
}

/** Chunks `c` of documents `d` that are published. An edition is one staging of a document, see `schema.ts`. */
export function chunkScope(organisation: string, scope: Scope): ScopedRows {
	const from = "chunks c JOIN documents d ON d.organisation = c.organisation AND d.id = c.document AND d.published_edition = c.edition";
	const live = fragment("c.organisation = ?", organisation);
	// Said of the documents as well, so that SQLite may begin with them. For the whole organisation it had better not.
	const ours = isUnrestricted(scope) ? [live] : [live, fragment("d.organisation = ?", organisation)];
	return scoped(from, (manner) => [...ours, ...documentConditions(organisation, scope, manner)]);
}

/** Documents `d`, published or not. */
export function documentScope(organisation: string, scope: Scope): ScopedRows {
	return scoped("documents d", (manner) => [fragment("d.organisation = ?", organisation), ...documentConditions(organisation, scope, manner)]);
}

/** Memories `m` that are current or were so at another time, or all of them when the reach says so. */
export function memoryScope(organisation: string, memoryFilter: MemoryFilter): ScopedRows {
	const ours = [fragment("m.organisation = ?", organisation), ...timeConditions(memoryFilter)];
	return scoped("memories m", (manner) => [...ours, ...memoryConditions(organisation, memoryFilter.scope, manner)]);
}

function timeConditions({ includeForgotten, now, moment }: MemoryFilter): readonly Fragment[] {
	if (moment !== undefined) return [includeForgotten ? learntBy(moment) : atMoment(moment)];
	if (includeForgotten) return [];
	return [fragment("m.is_latest = 1 AND m.is_forgotten = 0 AND (m.forget_after IS NULL OR m.forget_after > ?)", now.getTime())];
}

function scoped(from: string, conditions: (manner: Manner) => readonly Fragment[]): ScopedRows {
	return { from, ...where(allOf(conditions("listing"))), test: where(allOf(conditions("testing"))) };
}

function where({ sql, params }: Fragment): Where {
	return { where: sql, params: [...params] };
}

function documentConditions(organisation: string, scope: Scope, manner: Manner): readonly Fragment[] {
	const conditions: Fragment[] = [];
	if (scope.document !== null) conditions.push(fragment("d.id = ?", scope.document));
	conditions.push(...tagConditions(organisation, scope, manner));
	if (scope.filepath !== null) conditions.push(pathCondition("d", scope.filepath));
	if (scope.filter !== null) conditions.push(documentFilter(organisation, scope.filter, manner));
	return conditions;
}

/** All tags: one condition for each. Any of them: one for the list. */
function tagConditions(organisation: string, { containerTags, tagsMatch }: Scope, manner: Manner): readonly Fragment[] {
	if (containerTags.length === 0) return [];
	if (tagsMatch === "all") return [...new Set(containerTags)].map((tag) => tagged(organisation, "= ?", tag, manner));
	return [tagged(organisation, "IN (SELECT value FROM json_each(?))", JSON.stringify(containerTags), manner)];
}

function tagged(organisation: string, tag: string, value: string, manner: Manner): Fragment {
	if (manner === "listing") return fragment(`d.id IN (SELECT t.document FROM document_tags t WHERE t.organisation = ? AND t.tag ${tag})`, organisation, value);
	return fragment(`EXISTS (SELECT 1 FROM document_tags t WHERE t.organisation = d.organisation AND t.tag ${tag} AND t.document = d.id)`, value);
}

/** A memory's path and document are those of any document it was extracted from. */
function memoryConditions(organisation: string, scope: Scope, manner: Manner): readonly Fragment[] {
	const conditions: Fragment[] = [];
	if (scope.containerTags.length > 0) conditions.push(fragment("m.container_tag IN (SELECT value FROM json_each(?))", JSON.stringify(scope.containerTags)));
	if (scope.document !== null) conditions.push(extractedFrom(organisation, fragment("s.id = ?", scope.document), manner));
	if (scope.filepath !== null) conditions.push(extractedFrom(organisation, pathCondition("s", scope.filepath), manner));
	if (scope.filter !== null) conditions.push(memoryFilter(organisation, scope.filter, manner));
	return conditions;
}

/** Memories that any document `s` supports which fulfils a condition. */
function extractedFrom(organisation: string, { sql, params }: Fragment, manner: Manner): Fragment {
	const sources = "documents s JOIN memory_evidence e ON e.organisation = s.organisation AND e.document = s.id";
	if (manner === "listing") return { sql: `m.id IN (SELECT e.memory FROM ${sources} WHERE s.organisation = ? AND ${sql})`, params: [organisation, ...params] };
	return { sql: `EXISTS (SELECT 1 FROM ${sources} WHERE e.organisation = m.organisation AND e.memory = m.id AND ${sql})`, params };
}

/** A prefix is compared as a prefix: with LIKE a `_` in a path would stand for anything. The range lets an index serve it. */
function pathCondition(alias: "d" | "s", wanted: string): Fragment {
	if (!wanted.endsWith("/")) return fragment(`${alias}.filepath = ?`, wanted);
	return fragment(`${alias}.filepath >= ? AND ${alias}.filepath < ?`, wanted, behindPrefix(wanted));
}

/** What comes after all that begins with it: its last character gives way to the next. */
export function behindPrefix(prefix: string): string {
	const characters = [...prefix];
	const last = characters.pop()?.codePointAt(0) ?? 0;
	return characters.join("") + String.fromCodePoint(Math.min(last + 1, 0x10ffff));
}

function fragment(sql: string, ...params: readonly Binding[]): Fragment {
	return { sql, params };
}

type Alias = "m" | "s";

/** As `trueFrom` of the core has it. */
const trueFrom = (alias: Alias) => `coalesce(${alias}.event_time, ${alias}.said_at, ${alias}.created_at)`;

/** Asks for the time twice. */
const isAway = (alias: Alias, kind = "1") =>
	`EXISTS (SELECT 1 FROM memory_absences a WHERE a.organisation = ${alias}.organisation AND a.memory = ${alias}.id AND ${kind} AND a.begins <= ? AND (a.ends IS NULL OR a.ends > ?))`;

const isReplaced = "EXISTS (SELECT 1 FROM memory_edges e WHERE e.organisation = m.organisation AND e.target = m.id AND e.relation = 'updates')";

/** All that came after, not only the next: that one may have been removed at the time. */
const replacing = `WITH RECURSIVE newer (id) AS (
		SELECT e.source FROM memory_edges e WHERE e.organisation = m.organisation AND e.target = m.id AND e.relation = 'updates'
		UNION SELECT e.source FROM newer n CROSS JOIN memory_edges e WHERE e.organisation = m.organisation AND e.target = n.id AND e.relation = 'updates'
	) SELECT 1 FROM newer n CROSS JOIN memories s WHERE s.organisation = m.organisation AND s.id = n.id AND s.created_at <= ?`;

/** With its source, that is; what was forgotten or had expired before had said its last word. Asks for the time five times. */
const hasGone = `(${isAway("s", "a.kind = 'removed'")} AND NOT ${isAway("s", "a.kind <> 'removed'")} AND (s.forget_after IS NULL OR s.forget_after > ?))`;

/** Whatever was learnt until then, in all its versions. */
export function learntBy({ knownAt }: Moment): Fragment {
	return { sql: "m.created_at <= ?", params: [knownAt.getTime()] };
}

/**
 * What has been replaced has the edge of what replaced it. One that is not the latest and has no such edge was replaced
 * by something that was forgotten and then removed: it does not come back.
 */
export function atMoment(moment: Moment): Fragment {
	const known = moment.knownAt.getTime();
	const gone = [known, known, known, known, known];
	const isThere = allOf([learntBy(moment), { sql: `(m.is_latest = 1 OR ${isReplaced})`, params: [] }]);
	if (moment.trueAt === null)
		return allOf([
			isThere,
			{ sql: `NOT EXISTS (${replacing} AND NOT ${hasGone})`, params: [known, ...gone] },
			{ sql: `NOT ${isAway("m")}`, params: [known, known] },
			{ sql: "(m.forget_after IS NULL OR m.forget_after > ?)", params: [known] },
		]);
	const so = moment.trueAt.getTime();
	return allOf([
		isThere,
		{ sql: `${trueFrom("m")} <= ?`, params: [so] },
		{ sql: `NOT EXISTS (${replacing} AND ${trueFrom("s")} <= ? AND NOT ${hasGone})`, params: [known, so, ...gone] },
		{ sql: `NOT ${isAway("m", "a.kind <> 'expired'")}`, params: [known, known] },
		{ sql: "(m.forget_after IS NULL OR m.forget_after > ?)", params: [so] },
	]);
}

const timeColumns = { createdAt: "created_at", updatedAt: "updated_at" } as const satisfies Record<Page["sort"], string>;
const directions = { asc: "ASC", desc: "DESC" } as const satisfies Record<Page["order"], string>;

export interface PageOrder {
	/** Joins a WHERE; empty for the first page. */
	readonly after: Fragment;
	readonly order: string;
}

/** The order of a page, and the place it begins at. `sign` stands before the column of the time. A pair is compared with a pair, so that an index of the times leads to the place. */
export function pageOrder(alias: "d" | "m", { sort, order, after }: Page, sign: "" | "+" = ""): PageOrder {
	const column = `${sign}${alias}.${timeColumns[sort]}`;
	const direction = directions[order];
	const words = `${column} ${direction}, ${alias}.id ${direction}`;
	if (after === undefined) return { after: { sql: "", params: [] }, order: words };
	const sql = ` AND (${column}, ${alias}.id) ${order === "asc" ? ">" : "<"} (?, ?)`;
	return { after: { sql, params: [after.at.getTime(), after.id] }, order: words };
}
