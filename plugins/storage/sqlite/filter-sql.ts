/** Compiles a metadata filter to SQL that agrees with `matches` in every case. Values are bound, never spelled out. */

import type { SQLQueryBindings } from "bun:sqlite";
import { type Condition, type Filter, fold } from "cairn";

/** A piece of SQL with the values of its question marks, in their order. */
export interface Fragment {
	readonly sql: string;
	readonly params: readonly SQLQueryBindings[];
}

/**
 * The same condition in two manners. `listing` looks up once what fulfils it, for statements that go through all there
 * is. `testing` looks at each row on its own, for statements that have few rows in hand and would otherwise list
 * a whole container to judge ten of them.
 */
export type Manner = "listing" | "testing";

export const always: Fragment = { sql: "1", params: [] };

/** Which rows satisfy one condition, its `negate` left aside. */
type Holds = (condition: Condition, organisation: string) => Fragment;

/** For a query in which documents are called `d`. */
export function documentFilter(organisation: string, filter: Filter, manner: Manner): Fragment {
	return compile(filter, organisation, manner === "listing" ? documentListed : documentTested);
}

/** For a query in which memories are called `m`. A key that the memory lacks is looked up in the documents it was drawn from. */
export function memoryFilter(organisation: string, filter: Filter, manner: Manner): Fragment {
	return compile(filter, organisation, manner === "listing" ? memoryListed : memoryTested);
}

export function allOf(fragments: readonly Fragment[]): Fragment {
	return join(fragments, " AND ");
}

function join(fragments: readonly Fragment[], word: " AND " | " OR "): Fragment {
	if (fragments.length === 0) return always;
	return { sql: `(${fragments.map(({ sql }) => sql).join(word)})`, params: fragments.flatMap(({ params }) => params) };
}

function compile(filter: Filter, organisation: string, holds: Holds): Fragment {
	if (filter.kind === "and" || filter.kind === "or") {
		const parts = filter.parts.map((part) => compile(part, organisation, holds));
		return join(parts, filter.kind === "and" ? " AND " : " OR ");
	}
	const { sql, params } = holds(filter, organisation);
	return { sql: filter.negate ? `NOT ${sql}` : sql, params };
}

function documentListed(condition: Condition, organisation: string): Fragment {
	const test = elementTest(condition);
	return {
		sql: `(d.id IN (SELECT x.document FROM document_metadata x WHERE x.organisation = ? AND x.key = ? AND ${test.sql}))`,
		params: [organisation, condition.key, ...test.params],
	};
}

function documentTested(condition: Condition): Fragment {
	const test = elementTest(condition);
	return {
		sql: `(EXISTS (SELECT 1 FROM document_metadata x WHERE x.organisation = d.organisation AND x.document = d.id AND x.key = ? AND ${test.sql}))`,
		params: [condition.key, ...test.params],
	};
}

function memoryListed(condition: Condition, organisation: string): Fragment {
	const test = elementTest(condition);
	const key = [organisation, condition.key];
	return {
		sql: `(m.id IN (SELECT x.memory FROM memory_metadata x WHERE x.organisation = ? AND x.key = ? AND ${test.sql})
			OR (m.id NOT IN (SELECT x.memory FROM memory_metadata x WHERE x.organisation = ? AND x.key = ?)
				AND m.id IN (SELECT e.memory FROM document_metadata x JOIN memory_evidence e ON e.organisation = x.organisation AND e.document = x.document
					WHERE x.organisation = ? AND x.key = ? AND ${test.sql})))`,
		params: [...key, ...test.params, ...key, ...key, ...test.params],
	};
}

function memoryTested(condition: Condition): Fragment {
	const { key } = condition;
	const test = elementTest(condition);
	const own = "SELECT 1 FROM memory_metadata x WHERE x.organisation = m.organisation AND x.memory = m.id AND x.key = ?";
	return {
		sql: `(EXISTS (${own} AND ${test.sql}) OR (NOT EXISTS (${own}) AND EXISTS (SELECT 1 FROM memory_evidence e
			JOIN document_metadata x ON x.organisation = e.organisation AND x.document = e.document
			WHERE e.organisation = m.organisation AND e.memory = m.id AND x.key = ? AND ${test.sql})))`,
		params: [key, ...test.params, key, key, ...test.params],
	};
}

const comparisons = { ">": "x.number > ?", "<": "x.number < ?", ">=": "x.number >= ?", "<=": "x.number <= ?", "=": "x.number = ?" } as const;

/** What one element of a value must fulfil. An empty list is one row of NULLs, which fulfils nothing, but is there. */
function elementTest(condition: Condition): Fragment {
	if (condition.kind === "numeric") return { sql: comparisons[condition.operator], params: [condition.value] };
	const { value, ignoreCase } = condition;
	if (condition.kind === "contains-text") return { sql: `instr(x.${ignoreCase ? "folded" : "text"}, ?) > 0`, params: [fold(value, ignoreCase)] };
	// What is equal is also equal when folded, so one index serves both.
	const folded: Fragment = { sql: "x.folded = ?", params: [fold(value, true)] };
	return ignoreCase ? folded : { sql: "x.folded = ? AND x.text = ?", params: [...folded.params, value] };
}
