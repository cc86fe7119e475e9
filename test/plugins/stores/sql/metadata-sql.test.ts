/** Filters as SQL: the same answer as `matches` in 500 random cases, for documents and for memories. */

import { describe, expect, test } from "bun:test";
import { type Condition, type Filter, type Metadata, type MetadataValue, matches } from "cairn-memory/stores";
import fc from "fast-check";
import { contextOf, runHere } from "../../../../plugins/stores/sql/executor.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { documentMetadata, memoryEvidence, memoryMetadata } from "../../../../plugins/stores/sql/schema.ts";
import { documentFilter, type Fragment, type Manner, memoryFilter, metadataRows } from "../../../../plugins/stores/sql/scopes/metadata-sql.ts";
import { inserter } from "../../../../plugins/stores/sql/table-rows.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

const organisation = "org";
const connection = openWriter(":memory:");
migrate(connection, migrations);
const insertOfDocument = inserter(contextOf(connection), documentMetadata);
const insertOfMemory = inserter(contextOf(connection), memoryMetadata);
const insertEvidence = inserter(contextOf(connection), memoryEvidence);

// Few keys and few, odd values, so that conditions hit often and at the edges.
const keys = fc.constantFrom("a", "b", "A", "key.with-dot", "__proto__", "it's");
const texts = fc.constantFrom(
	"",
	"x",
	"X",
	"xy",
	"5",
	"5.0",
	"05",
	" 5 ",
	"+5",
	"1e3",
	".5",
	"0x10",
	"true",
	"ß",
	"SS",
	"İ",
	"i̇",
	"%",
	"_",
	"a\\b",
	"日本",
	"'",
	'"',
	"é",
	"e\u0301",
	"Σ",
	"ΑΣ",
);
const numbers = fc.constantFrom(0, -0, 5, 5.5, -1, 1000, 1e21, 0.1, 0.30000000000000004, 2 ** 53);
const scalars: fc.Arbitrary<string | number | boolean> = fc.oneof(texts, numbers, fc.boolean());
const values: fc.Arbitrary<MetadataValue> = fc.oneof(scalars, fc.array(texts, { maxLength: 3 }));
const metadata: fc.Arbitrary<Metadata> = fc.array(fc.tuple(keys, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

const wanted = fc.oneof(texts, numbers.map(String), fc.constantFrom("false", "s", "ss", "I"));
const textConditions: fc.Arbitrary<Condition> = fc.record({
	kind: fc.constantFrom("equals", "contains-element", "contains-text"),
	key: keys,
	value: wanted,
	negate: fc.boolean(),
	ignoreCase: fc.boolean(),
});
const numericConditions: fc.Arbitrary<Condition> = fc.record({
	kind: fc.constant("numeric"),
	key: keys,
	value: numbers,
	negate: fc.boolean(),
	operator: fc.constantFrom(">", "<", ">=", "<=", "="),
});
const { filter: filters } = fc.letrec<{ filter: Filter }>((tie) => ({
	filter: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		{ weight: 3, arbitrary: fc.oneof(textConditions, numericConditions) },
		{ weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("and", "or"), parts: fc.array(tie("filter"), { maxLength: 3 }) }) },
	),
}));

function setDocument(id: string, of: Metadata): void {
	for (const row of metadataRows(of)) runHere(insertOfDocument({ organisation, document: id, ...row }));
}

function clear(): void {
	for (const table of ["document_metadata", "memory_metadata", "memory_evidence"]) connection.db.run(`DELETE FROM ${table}`);
}

const documentNames = ["d0", "d1", "d2"];

const manners = ["listing", "testing"] as const;

function documentsThatMatch(filter: Filter, manner: Manner): readonly string[] {
	const { sql, params } = documentFilter(organisation, filter, manner);
	return connection
		.statement<{ id: string }>(`SELECT d.id AS id FROM (SELECT value AS id, ? AS organisation FROM json_each(?)) d WHERE ${sql} ORDER BY 1`)
		.all(organisation, JSON.stringify(documentNames), ...params)
		.map(({ id }) => id);
}

test("documents: as `matches` says, in 500 random cases", () => {
	fc.assert(
		fc.property(fc.array(metadata, { minLength: 3, maxLength: 3 }), filters, (documents, filter) => {
			clear();
			for (const [i, of] of documents.entries()) setDocument(`d${i}`, of);
			const expected = documentNames.filter((_, i) => matches(filter, documents[i] ?? {}));
			for (const manner of manners) expect(documentsThatMatch(filter, manner)).toEqual(expected);
		}),
		{ seed: 20260101, numRuns: 500 },
	);
});

/** The same in JavaScript: a key that the memory lacks is looked up in its sources. */
function memoryMatches(filter: Filter, own: Metadata, sources: readonly Metadata[]): boolean {
	if (filter.kind === "and") return filter.parts.every((part) => memoryMatches(part, own, sources));
	if (filter.kind === "or") return filter.parts.length === 0 || filter.parts.some((part) => memoryMatches(part, own, sources));
	if (Object.hasOwn(own, filter.key)) return matches(filter, own);
	return sources.some((source) => matches({ ...filter, negate: false }, source)) !== filter.negate;
}

test("memories: their own metadata, and where a key is missing that of their sources, in 500 random cases", () => {
	fc.assert(
		fc.property(metadata, fc.array(metadata, { maxLength: 2 }), filters, (own, sources, filter) => {
			clear();
			for (const row of metadataRows(own)) runHere(insertOfMemory({ organisation, memory: "m0", ...row }));
			for (const [i, of] of sources.entries()) {
				setDocument(`d${i}`, of);
				runHere(insertEvidence({ organisation, memory: "m0", ordinal: i, document: `d${i}`, chunk: "c", spanBegin: 0, spanEnd: 1 }));
			}
			for (const manner of manners) {
				const { sql, params } = memoryFilter(organisation, filter, manner);
				const found = connection.statement(`SELECT m.id FROM (SELECT 'm0' AS id, ? AS organisation) m WHERE ${sql}`).get(organisation, ...params);
				expect(found !== null).toBe(memoryMatches(filter, own, sources));
			}
		}),
		{ seed: 20260101, numRuns: 500 },
	);
});

test("the metadata of another organisation does not count", () => {
	clear();
	for (const row of metadataRows({ a: "x" })) runHere(insertOfDocument({ organisation: "other", document: "d0", ...row }));
	for (const manner of manners) expect(documentsThatMatch({ kind: "equals", key: "a", value: "x", negate: false, ignoreCase: false }, manner)).toEqual([]);
});

test("a letter whose lower case depends on its place is found wherever it is", () => {
	clear();
	setDocument("d0", { a: "ΑΣ" });
	for (const manner of manners) {
		expect(documentsThatMatch({ kind: "contains-text", key: "a", value: "Σ", negate: false, ignoreCase: false }, manner)).toEqual(["d0"]);
	}
});

describe("a list goes through one key of the metadata, by an index that holds what is asked", () => {
	const base = { key: "a", negate: false, ignoreCase: false } as const;
	const conditions: readonly Condition[] = [
		{ ...base, kind: "equals", value: "x" },
		{ ...base, kind: "equals", value: "x", ignoreCase: true },
		{ ...base, kind: "contains-element", value: "x" },
		{ ...base, kind: "contains-text", value: "x" },
		{ ...base, kind: "contains-text", value: "x", ignoreCase: true },
		{ ...base, kind: "numeric", value: 5, operator: "=" },
		{ ...base, kind: "numeric", value: 5, operator: ">=" },
	];
	const lists: Readonly<Record<string, (condition: Condition) => { readonly from: string; readonly filter: Fragment }>> = {
		documents: (condition) => ({ from: "documents d", filter: documentFilter(organisation, condition, "listing") }),
		memories: (condition) => ({ from: "memories m", filter: memoryFilter(organisation, condition, "listing") }),
	};

	for (const [name, list] of Object.entries(lists)) {
		test.each(conditions)(`${name} %j`, (condition) => {
			const { from, filter } = list(condition);
			const plan = connection.statement<{ detail: string }>(`EXPLAIN QUERY PLAN SELECT 1 FROM ${from} WHERE ${filter.sql}`).all(...filter.params);
			const ways = plan.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN) [xr] /.test(detail));
			const through = condition.kind === "numeric" ? /_by_number \(organisation=\? AND key=\? AND number[=>]/ : /_by_text \(organisation=\? AND key=\?/;
			expect(ways.length).toBeGreaterThan(0);
			for (const way of ways) {
				if (way.startsWith("SEARCH x")) expect(way).toMatch(/COVERING INDEX .*\(organisation=\? AND key=\?/);
				else expect(way).toMatch(/^SEARCH r .*\(organisation=\? AND (document|memory)=\? AND key=\? AND element=\?\)/);
			}
			expect(ways.some((way) => through.test(way))).toBe(true);
		});
	}
});
