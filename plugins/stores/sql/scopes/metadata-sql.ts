/** Converts metadata to rows, and metadata filters to SQL that agrees with `matches` in every case. Values are always bound as parameters. */

import { asNumber, asText, type Condition, type Filter, fold, type Metadata, type MetadataValue } from "cairn-memory/stores";
import type { Binding } from "../executor.ts";

/** A piece of SQL with its parameters in their order. */
export interface Fragment {
	readonly sql: string;
	readonly params: readonly Binding[];
}

/**
 * A condition can be written in two ways. `listing` selects everything that fulfils it once, for statements that scan all rows.
 * `testing` checks each row on its own, for statements with few rows, which would otherwise list a whole container to check ten.
 */
export type Manner = "listing" | "testing";

const always: Fragment = { sql: "TRUE", params: [] };

/** Compiles one condition, without its `negate`. */
type CompileCondition = (condition: Condition, organisation: string) => Fragment;

/** For a query with the alias `d` for documents. */
export function documentFilter(organisation: string, filter: Filter, manner: Manner): Fragment {
	return compile(filter, organisation, manner === "listing" ? documentListed : documentTested);
}

/** For a query with the alias `m` for memories. A key that the memory lacks is looked up in the documents it was extracted from. */
export function memoryFilter(organisation: string, filter: Filter, manner: Manner): Fragment {
	return compile(filter, organisation, manner === "listing" ? memoryListed : memoryTested);
}

function join(fragments: readonly Fragment[], word: " AND " | " OR "): Fragment {
	if (fragments.length === 0) return always;
	return { sql: `(${fragments.map(({ sql }) => sql).join(word)})`, params: fragments.flatMap(({ params }) => params) };
}

function compile(filter: Filter, organisation: string, compileCondition: CompileCondition): Fragment {
	if (filter.kind === "and" || filter.kind === "or") {
		const parts = filter.parts.map((part) => compile(part, organisation, compileCondition));
		return join(parts, filter.kind === "and" ? " AND " : " OR ");
	}
	const { sql, params } = compileCondition(filter, organisation);
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
	// A single list instead of OR lets SQLite begin with it.
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
 * Selects the owners of the elements that fulfil the condition. It names the index, because SQLite would otherwise scan all metadata
 * of an organisation if a condition needs more than the index has. Rows are only read if the index says that they may match.
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

/** The condition for a row `x` that has been read. */
function rowTest(condition: Condition): Fragment {
	const { folded, exact } = elementTest(condition);
	return exact === null ? folded : { sql: exact.sql("x"), params: exact.params };
}

interface ElementTest {
	readonly index: "text" | "number";
	/** The condition on the columns of the index. An empty list has one row of NULLs, which exists but fulfils nothing. */
	readonly folded: Fragment;
	/** The condition on other columns of the row; null if the index has everything. */
	readonly exact: { readonly sql: (row: "x" | "r") => string; readonly params: Fragment["params"] } | null;
}

const comparisons = { ">": "x.number > ?", "<": "x.number < ?", ">=": "x.number >= ?", "<=": "x.number <= ?", "=": "x.number = ?" } as const;

function elementTest(condition: Condition): ElementTest {
	if (condition.kind === "numeric") return { index: "number", folded: { sql: comparisons[condition.operator], params: [condition.value] }, exact: null };
	const { kind, value, ignoreCase } = condition;
	const test = kind === "contains-text" ? (text: string) => `instr(${text}, ?) > 0` : (text: string) => `${text} = ?`;
	const exact: ElementTest["exact"] = ignoreCase ? null : { sql: (row) => test(`${row}.text`), params: [value] };
	// Texts that are equal are also equal when folded. The same holds for texts that contain each other, but for one letter.
	if (exact !== null && kind === "contains-text" && value.includes(contextDependentLetter)) return { index: "text", folded: always, exact };
	return { index: "text", folded: { sql: test("x.folded"), params: [fold(value, true)] }, exact };
}

/** The only letter whose lower case depends on its position: at the end of a word it is ς, elsewhere σ. */
const contextDependentLetter = "Σ";

export interface ElementRow {
	readonly key: string;
	readonly element: number;
	readonly text: string | null;
	readonly folded: string | null;
	readonly number: number | null;
}

/** The rows by which filters find metadata: one for each element of a value. */
export function metadataRows(metadata: Metadata): readonly ElementRow[] {
	return Object.entries(metadata).flatMap(([key, value]) => elementsOf(value).map((row, element) => ({ key, element, ...row })));
}

type Element = Pick<ElementRow, "text" | "folded" | "number">;

/** The row of an empty list: the key exists, but no value can match it. */
const emptyElement: Element = { text: null, folded: null, number: null };

function elementsOf(value: MetadataValue): readonly Element[] {
	if (typeof value === "object") return value.length === 0 ? [emptyElement] : value.map((element) => ({ ...textForms(element), number: null }));
	const number = asNumber(value);
	return [{ ...textForms(value), number: Number.isNaN(number) ? null : number }];
}

function textForms(value: string | number | boolean): Pick<Element, "text" | "folded"> {
	const text = asText(value);
	return { text, folded: fold(text, true) };
}
