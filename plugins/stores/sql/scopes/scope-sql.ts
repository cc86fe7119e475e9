/** Compiles to SQL: a scope, the memories that were known or true at an earlier moment, and the order of a page. */

import { isUnrestricted, type MemoryFilter, type Moment, type Page, type Scope } from "cairn-memory/stores";
import type { Binding, Question } from "../executor.ts";
import { documentFilter, type Fragment, type Manner, memoryFilter } from "./metadata-sql.ts";

/** A condition with its parameters. */
export interface Where {
	readonly where: string;
	readonly params: Binding[];
}

/** The middle of a SELECT that scans all rows in scope. `params` belong to `where`; `from` has none. */
export interface ScopedRows extends Where {
	readonly from: string;
	/** The condition for a SELECT with few rows, which checks whether each is in scope. */
	readonly test: Where;
}

/** Published chunks `c` of documents `d`. An edition is one staging of a document, see `schema.ts`. */
export function chunkScope(organisation: string, scope: Scope): ScopedRows {
	const from = "chunks c JOIN documents d ON d.organisation = c.organisation AND d.id = c.document AND d.published_edition = c.edition";
	const ofOrganisation = fragment("c.organisation = ?", organisation);
	// The condition on the documents lets SQLite begin with them. For the whole organisation that would be slower.
	const base = isUnrestricted(scope) ? [ofOrganisation] : [ofOrganisation, fragment("d.organisation = ?", organisation)];
	return scoped(from, (manner) => [...base, ...documentConditions(organisation, scope, manner)]);
}

/** Documents `d`, published or not. */
export function documentScope(organisation: string, scope: Scope): ScopedRows {
	return scoped("documents d", (manner) => [fragment("d.organisation = ?", organisation), ...documentConditions(organisation, scope, manner)]);
}

/** Memories `m` that are current or were so at an earlier moment, or all of them if the filter includes forgotten ones. */
export function memoryScope(organisation: string, memoryFilter: MemoryFilter): ScopedRows {
	const base = [fragment("m.organisation = ?", organisation), ...timeConditions(memoryFilter)];
	return scoped("memories m", (manner) => [...base, ...memoryConditions(organisation, memoryFilter.scope, manner)]);
}

function timeConditions({ includeForgotten, now, moment }: MemoryFilter): readonly Fragment[] {
	if (moment !== undefined) return [includeForgotten ? learntBy(moment) : atMoment(moment)];
	if (includeForgotten) return [];
	return [fragment("m.is_latest = 1 AND m.is_forgotten = 0 AND (m.forget_after IS NULL OR m.forget_after > ?)", now.getTime())];
}

function scoped(from: string, conditions: (manner: Manner) => readonly Fragment[]): ScopedRows {
	return { from, ...where(allOf(conditions("listing"))), test: where(allOf(conditions("testing"))) };
}

/** At least one condition. */
function allOf(conditions: readonly Fragment[]): Fragment {
	return { sql: conditions.map(({ sql }) => sql).join(" AND "), params: conditions.flatMap(({ params }) => params) };
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

/** If all tags are required, one condition for each; if any is enough, one condition for the list. */
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

/** Memories with evidence in a document `s` that fulfils the condition. */
function extractedFrom(organisation: string, { sql, params }: Fragment, manner: Manner): Fragment {
	const sources = "documents s JOIN memory_evidence e ON e.organisation = s.organisation AND e.document = s.id";
	if (manner === "listing") return { sql: `m.id IN (SELECT e.memory FROM ${sources} WHERE s.organisation = ? AND ${sql})`, params: [organisation, ...params] };
	return { sql: `EXISTS (SELECT 1 FROM ${sources} WHERE e.organisation = m.organisation AND e.memory = m.id AND ${sql})`, params };
}

/**
 * A path that ends with a slash is a prefix. It is compared as a range, which can use an index; with LIKE, a `_` in a path would match any
 * character.
 */
function pathCondition(alias: "d" | "s", wanted: string): Fragment {
	if (!wanted.endsWith("/")) return fragment(`${alias}.filepath = ?`, wanted);
	return fragment(`${alias}.filepath >= ? AND ${alias}.filepath < ?`, wanted, behindPrefix(wanted));
}

/** The first string after all strings with this prefix: the prefix with its last character replaced by the next one. */
export function behindPrefix(prefix: string): string {
	const characters = [...prefix];
	const last = characters.pop()?.codePointAt(0) ?? 0;
	return characters.join("") + String.fromCodePoint(Math.min(last + 1, 0x10ffff));
}

function fragment(sql: string, ...params: readonly Binding[]): Fragment {
	return { sql, params };
}

type Alias = "m" | "s";

/** The same as `trueFrom` in core. */
const trueFrom = (alias: Alias) => `coalesce(${alias}.event_time, ${alias}.said_at, ${alias}.created_at)`;

/** Whether a memory was absent at a time. The time is a parameter twice. */
const isAbsent = (alias: Alias, kind = "TRUE") =>
	`EXISTS (SELECT 1 FROM memory_absences a WHERE a.organisation = ${alias}.organisation AND a.memory = ${alias}.id AND ${kind} AND a.begins <= ? AND (a.ends IS NULL OR a.ends > ?))`;

const isReplaced = "EXISTS (SELECT 1 FROM memory_edges e WHERE e.organisation = m.organisation AND e.target = m.id AND e.relation = 'updates')";

/** All later versions, not only the next one, because that one may have been removed at the time. */
const laterVersions = `WITH RECURSIVE newer (id) AS (
		SELECT e.source FROM memory_edges e WHERE e.organisation = m.organisation AND e.target = m.id AND e.relation = 'updates'
		UNION SELECT e.source FROM newer n CROSS JOIN memory_edges e WHERE e.organisation = m.organisation AND e.target = n.id AND e.relation = 'updates'
	) SELECT 1 FROM newer n CROSS JOIN memories s WHERE s.organisation = m.organisation AND s.id = n.id AND s.created_at <= ?`;

/**
 * Whether a later version was removed with its source at a time. If it was forgotten or expired before, it still replaces. The time is a
 * parameter five times.
 */
const wasRemoved = `(${isAbsent("s", "a.kind = 'removed'")} AND NOT ${isAbsent("s", "a.kind <> 'removed'")} AND (s.forget_after IS NULL OR s.forget_after > ?))`;

/** Everything that was known at the moment, in all versions. */
export function learntBy({ knownAt }: Moment): Fragment {
	return { sql: "m.created_at <= ?", params: [knownAt.getTime()] };
}

/**
 * The memories that were current at a moment. A replaced memory has an edge from the one that replaced it. A memory that is not the
 * latest and has no such edge was replaced by one that was forgotten and then removed, so it does not become current again.
 */
export function atMoment(moment: Moment): Fragment {
	const known = moment.knownAt.getTime();
	const fiveTimes = [known, known, known, known, known];
	const wasKnown = allOf([learntBy(moment), { sql: `(m.is_latest = 1 OR ${isReplaced})`, params: [] }]);
	if (moment.trueAt === null)
		return allOf([
			wasKnown,
			{ sql: `NOT EXISTS (${laterVersions} AND NOT ${wasRemoved})`, params: [known, ...fiveTimes] },
			{ sql: `NOT ${isAbsent("m")}`, params: [known, known] },
			{ sql: "(m.forget_after IS NULL OR m.forget_after > ?)", params: [known] },
		]);
	const trueAt = moment.trueAt.getTime();
	return allOf([
		wasKnown,
		{ sql: `${trueFrom("m")} <= ?`, params: [trueAt] },
		{ sql: `NOT EXISTS (${laterVersions} AND ${trueFrom("s")} <= ? AND NOT ${wasRemoved})`, params: [known, trueAt, ...fiveTimes] },
		{ sql: `NOT ${isAbsent("m", "a.kind <> 'expired'")}`, params: [known, known] },
		{ sql: "(m.forget_after IS NULL OR m.forget_after > ?)", params: [trueAt] },
	]);
}

/**
 * Counts rows for a page, as far as its total has to be counted and as it takes to tell whether there are many.
 * @param rows what follows FROM
 */
export function counting(rows: string, params: readonly Binding[], { totalMax }: Page, many: number): Question {
	if (totalMax === undefined) return { sql: `SELECT count(*) AS total FROM ${rows}`, params };
	return { sql: `SELECT count(*) AS total FROM (SELECT 1 FROM ${rows} LIMIT ?) counted`, params: [...params, Math.max(totalMax, many + 1)] };
}

const timeColumns = { createdAt: "created_at", updatedAt: "updated_at" } as const satisfies Record<Page["sort"], string>;
const directions = { asc: "ASC", desc: "DESC" } as const satisfies Record<Page["order"], string>;

export interface PageOrder {
	/** Continues a WHERE clause; empty for the first page. */
	readonly after: Fragment;
	readonly order: string;
}

/**
 * The order of a page, and the condition on where it begins. It compares pairs, so that SQLite can use an index.
 * @param sign `+` before the time column keeps SQLite from using the index.
 */
export function pageOrder(alias: "d" | "m", { sort, order, after }: Page, sign: "" | "+" = ""): PageOrder {
	const column = `${sign}${alias}.${timeColumns[sort]}`;
	const direction = directions[order];
	const orderBy = `${column} ${direction}, ${alias}.id ${direction}`;
	if (after === undefined) return { after: { sql: "", params: [] }, order: orderBy };
	const sql = ` AND (${column}, ${alias}.id) ${order === "asc" ? ">" : "<"} (?, ?)`;
	return { after: { sql, params: [after.at.getTime(), after.id] }, order: orderBy };
}
