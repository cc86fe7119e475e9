/** Metadata as rows, and metadata filters as SQL that agrees with `matches` in every case. Values are bound, never spelled out. */

import { asNumber, asText, type Condition, type Filter, fold, type Metadata, type MetadataValue } from "cairn-memory";
import type { Binding } from "../executor.ts";

/** A piece of SQL with the values of its question marks, in their order. */
export interface Fragment {
	readonly sql: string;
	readonly params: readonly Binding[];
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

/** For a query in which memories are called `m`. A key that the memory lacks is looked up in the documents it was extracted from. */
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
	const { sql, params } = listed("document", "x.document", condition, organisation);
	return { sql: `(d.id IN (${sql}))`, params };
}

function documentTested(condition: Condition): Fragment {
	const test = rowTest(condition);
	return {
		sql: `(EXISTS (SELECT 1 FROM document_metadata x WHERE x.organisation = d.organisation AND x.document = d.id AND x.key = ? AND ${test.sql}))`,
		params: [condition.key, ...test.params],
	};
}

function memoryListed(condition: Condition, organisation: string): Fragment {
	const own = listed("memory", "x.memory", condition, organisation);
	const ofDocuments = listed("document", "e.memory", condition, organisation);
	// One list and no OR: then SQLite may begin with it.
	return {
		sql: `(m.id IN (${own.sql} UNION ALL ${ofDocuments.sql}
			AND e.memory NOT IN (SELECT x.memory FROM memory_metadata x WHERE x.organisation = ? AND x.key = ?)))`,
		params: [...own.params, ...ofDocuments.params, organisation, condition.key],
	};
}

function memoryTested(condition: Condition): Fragment {
	const { key } = condition;
	const test = rowTest(condition);
	const own = "SELECT 1 FROM memory_metadata x WHERE x.organisation = m.organisation AND x.memory = m.id AND x.key = ?";
	return {
		sql: `(EXISTS (${own} AND ${test.sql}) OR (NOT EXISTS (${own}) AND EXISTS (SELECT 1 FROM memory_evidence e
			JOIN document_metadata x ON x.organisation = e.organisation AND x.document = e.document
			WHERE e.organisation = m.organisation AND e.memory = m.id AND x.key = ? AND ${test.sql})))`,
		params: [key, ...test.params, key, key, ...test.params],
	};
}

/**
 * Whose element fulfils the condition, by an index that is named: left alone, SQLite goes through all metadata of an
 * organisation where a test needs more than the index holds. Rows are looked at only where the index says that they may.
 */
function listed(owner: "document" | "memory", wanted: "x.document" | "x.memory" | "e.memory", condition: Condition, organisation: string): Fragment {
	const { index, folded, exact } = elementTest(condition);
	const table = `${owner}_metadata`;
	const evidence = wanted === "e.memory" ? "CROSS JOIN memory_evidence e ON e.organisation = x.organisation AND e.document = x.document" : "";
	const ofRow =
		exact === null
			? always
			: {
					sql: `EXISTS (SELECT 1 FROM ${table} r
						WHERE r.organisation = x.organisation AND r.${owner} = x.${owner} AND r.key = x.key AND r.element = x.element AND ${exact.sql("r")})`,
					params: exact.params,
				};
	return {
		sql: `SELECT ${wanted} FROM ${table} x INDEXED BY ${table}_by_${index} ${evidence} WHERE x.organisation = ? AND x.key = ? AND ${folded.sql} AND ${ofRow.sql}`,
		params: [organisation, condition.key, ...folded.params, ...ofRow.params],
	};
}

/** The same of a row `x` that is in hand. */
function rowTest(condition: Condition): Fragment {
	const { folded, exact } = elementTest(condition);
	return exact === null ? folded : { sql: exact.sql("x"), params: exact.params };
}

interface ElementTest {
	readonly index: "text" | "number";
	/** What the index tells of an element. An empty list is one row of NULLs, which fulfils nothing, but is there. */
	readonly folded: Fragment;
	/** What only its row tells. Null when the index tells all. */
	readonly exact: { readonly sql: (row: "x" | "r") => string; readonly params: Fragment["params"] } | null;
}

const comparisons = { ">": "x.number > ?", "<": "x.number < ?", ">=": "x.number >= ?", "<=": "x.number <= ?", "=": "x.number = ?" } as const;

function elementTest(condition: Condition): ElementTest {
	if (condition.kind === "numeric") return { index: "number", folded: { sql: comparisons[condition.operator], params: [condition.value] }, exact: null };
	const { kind, value, ignoreCase } = condition;
	const fulfils = kind === "contains-text" ? (text: string) => `instr(${text}, ?) > 0` : (text: string) => `${text} = ?`;
	const exact: ElementTest["exact"] = ignoreCase ? null : { sql: (row) => fulfils(`${row}.text`), params: [value] };
	// What is equal is also equal when folded, and nearly always so for what contains it.
	if (exact !== null && kind === "contains-text" && value.includes(changing)) return { index: "text", folded: always, exact };
	return { index: "text", folded: { sql: fulfils("x.folded"), params: [fold(value, true)] }, exact };
}

/** The one letter whose lower case depends on what is around it: at the end of a word it is another. */
const changing = "Σ";

export interface ElementRow {
	readonly key: string;
	readonly element: number;
	readonly text: string | null;
	readonly folded: string | null;
	readonly number: number | null;
}

/** The rows by which filters find metadata, one for each element of a value. */
export function metadataRows(metadata: Metadata): readonly ElementRow[] {
	return Object.entries(metadata).flatMap(([key, value]) => elementsOf(value).map((row, element) => ({ key, element, ...row })));
}

type Element = Pick<ElementRow, "text" | "folded" | "number">;

/** An empty list still is a row: the key is there, though nothing it holds can match. */
const nothing: Element = { text: null, folded: null, number: null };

function elementsOf(value: MetadataValue): readonly Element[] {
	if (typeof value === "object") return value.length === 0 ? [nothing] : value.map((element) => ({ ...textForms(element), number: null }));
	const number = asNumber(value);
	return [{ ...textForms(value), number: Number.isNaN(number) ? null : number }];
}

function textForms(value: string | number | boolean): Pick<Element, "text" | "folded"> {
	const text = asText(value);
	return { text, folded: fold(text, true) };
}
