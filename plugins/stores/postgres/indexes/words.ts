/** A word index in plain PostgreSQL: candidates by the rarest words from an index of arrays (GIN), ranked by the formula of core. */

import type { EntryFilter, TermGroup, WordCollection, WordEntry, WordIndex } from "cairn-memory";
import { type PostgresConnection, writeIdleMs } from "../connection.ts";
import { codeOf, tryAgain } from "../try-again.ts";
import { type CollectionRow, gone, move, positionOf, quoted, sharedIndex } from "./collections.ts";
import { type CountedRow, countedColumns, countsReader } from "./counts-in-text.ts";
import { matcher } from "./match-words.ts";
import { statisticsKeeper } from "./statistics-keeper.ts";
import { addSql, gatherSql, removeSql } from "./word-statements.ts";
import { arraySql, listOf, storedPage, type Term, type TermNumbers, termNumbers } from "./word-terms.ts";

/** The most texts that are counted exactly when they hold any of several terms; above this the number is estimated. */
const countedMax = 2_000;
/** The most terms whose number of texts is kept, so that a search need not ask twice. */
const rememberedMax = 50_000;

export function postgresWordIndex(connection: PostgresConnection): WordIndex {
	return {
		name: "postgresql",
		filters: "payload",
		...sharedIndex({
			...{ connection, kind: "words" },
			collectionOf: (row) => wordCollection(row, connection),
			tables: ["word_entries", "word_terms", "word_spellings"],
		}),
	};
}

/** How many texts hold each of some terms. */
export type Holders = ReadonlyMap<Term, number>;

interface Totals {
	readonly texts: number;
	readonly words: number;
	readonly grams: number;
}

function wordCollection(row: CollectionRow, { query, once, alone, transaction }: PostgresConnection): WordCollection {
	const { organisation, number } = row;
	const numbers = termNumbers(number);
	const within = `organisation = ${quoted(organisation)} AND collection = ${number}`;
	const remembered = new Map<Term, number>();
	/** The same for groups of terms. */
	const united = new Map<string, number>();
	/** Counts the times that the position moved. */
	let era = 0;
	let known: string | null = null;
	let areTotalsKnown = false;
	let totals: Totals = { texts: 0, words: 0, grams: 0 };

	/** One question for the terms and for the totals. What was asked before the position moved is not remembered. */
	async function ask(terms: readonly Term[]): Promise<Holders> {
		const asked = era;
		const { rows } = await query(countSql, [organisation, number, listOf(terms)]);
		const [found] = rows as readonly (Totals & { readonly holders: string | null })[];
		if (found === undefined) throw gone("words");
		// An answer that comes late does not replace a newer one.
		if (asked === era || !areTotalsKnown) totals = { texts: found.texts, words: found.words, grams: found.grams };
		const counts: Readonly<Record<Term, number>> = JSON.parse(found.holders ?? "{}");
		const holders = new Map(terms.map((term) => [term, counts[term] ?? 0]));
		if (asked !== era) return holders;
		areTotalsKnown = true;
		for (const [term, count] of holders) remembered.set(term, count);
		return holders;
	}

	/** What is remembered is as of the position at least: what was put later is not in the index for core. */
	async function holdersOf(terms: readonly Term[]): Promise<Holders> {
		if (remembered.size + united.size > rememberedMax) forget();
		const holders = new Map(terms.flatMap((term) => (remembered.has(term) ? [[term, remembered.get(term) ?? 0]] : [])));
		const unknown = terms.filter((term) => !holders.has(term));
		return areTotalsKnown && unknown.length === 0 ? holders : new Map([...holders, ...(await ask(unknown))]);
	}

	function forget(): void {
		remembered.clear();
		united.clear();
		areTotalsKnown = false;
		era++;
	}

	/** The texts with the commonest term are known by number, so that only those with another one are read, and counted if they lack it. */
	function unitedSql(terms: readonly Term[], holders: Holders): string {
		const [commonest = "", ...others] = terms.toSorted((a, b) => (holders.get(b) ?? 0) - (holders.get(a) ?? 0));
		const further = `SELECT count(*) FROM word_entries WHERE ${within} AND terms && ${arraySql(others)} AND NOT terms @> ${arraySql([commonest])}`;
		return `${holders.get(commonest) ?? 0} + (${further})`;
	}

	/** How many texts hold any of the terms of each group. */
	async function unite(groups: readonly (readonly Term[])[], holders: Holders): Promise<readonly number[]> {
		const countsOf = (terms: readonly Term[]) => terms.flatMap((term) => holders.get(term) || []);
		const isCounted = (terms: readonly Term[]) => countsOf(terms).length > 1 && sumOf(countsOf(terms)) <= countedMax;
		const asked = era;
		const known = new Map(groups.flatMap((terms) => (united.has(listOf(terms)) ? [[listOf(terms), united.get(listOf(terms)) ?? 0]] : [])));
		const counted = groups.filter((terms) => isCounted(terms) && !known.has(listOf(terms)));
		const columns = counted.map((terms, i) => `${unitedSql(terms, holders)} AS count${i}`);
		const { rows } = counted.length === 0 ? { rows: [] } : await once(`SELECT ${columns.join(", ")}`);
		const counts = (rows[0] ?? {}) as Readonly<Record<string, number>>;
		for (const [i, terms] of counted.entries()) {
			known.set(listOf(terms), counts[`count${i}`] ?? 0);
			if (asked === era) united.set(listOf(terms), counts[`count${i}`] ?? 0);
		}
		return groups.map((terms) => (isCounted(terms) ? (known.get(listOf(terms)) ?? 0) : estimated(countsOf(terms), totals.texts)));
	}

	const find = matcher(row, numbers, once);
	const countWhenGrown = statisticsKeeper(alone);

	/** @param columns what is read of each row besides its id */
	async function match(groups: readonly TermGroup[], limit: number, filter: EntryFilter, columns: string | null): Promise<readonly unknown[]> {
		if (limit <= 0 || groups.length === 0) return [];
		const tags = filter.containerTags.map(numbers.ofTag);
		const holders = await holdersOf([...groups.flatMap(({ terms }) => terms.map(numbers.of)), ...tags]);
		const averageLength = totals.texts === 0 ? 0 : totals.words / totals.texts;
		const found = await find({ groups, limit, tags, tagsMatch: filter.tagsMatch, holders, averageLength, columns });
		// Where another program has dropped the collection, terms are still remembered: that there is no text would be taken for an answer.
		if (found.length < limit) await positionOf(query, "words", row);
		return found;
	}

	/** Only the owner of the index may. For others it stays as it is until PostgreSQL empties the list, at 4 MB or with the next vacuum. */
	async function gather(): Promise<void> {
		await query(gatherSql, []).catch((thrown: unknown) => {
			if (codeOf(thrown) !== "42501") throw thrown;
		});
	}

	return {
		position: async () => {
			const position = await positionOf(query, "words", row);
			if (position !== known) forget();
			known = position;
			return known;
		},
		apply: async ({ put, remove, position }) => {
			const entries = new Map(put.map((entry) => [entry.id, entry]));
			const page = pageOf([...entries.values()], numbers);
			const size = await tryAgain(() =>
				transaction(
					"",
					async (inside) => {
						await move(inside.query, "words", row, { from: known, to: position });
						await inside.query(removeSql, [organisation, number, JSON.stringify([...remove, ...entries.keys()])]);
						if (entries.size === 0) return 0;
						const { rows } = await inside.query(addSql, [organisation, number, ...page]);
						return (rows as readonly { readonly entries: number }[])[0]?.entries ?? 0;
					},
					writeIdleMs,
				),
			);
			known = position;
			forget();
			await gather();
			countWhenGrown(size);
		},
		prepare: async (terms) => void (await holdersOf([...new Set(terms.map(numbers.of))])),
		count: async (groups) => {
			const terms = groups.map((group) => [...new Set(group.map(numbers.of))]);
			const holders = await holdersOf([...new Set(terms.flat())]);
			return { ...totals, holders: await unite(terms, holders) };
		},
		match: async (groups, limit, filter) => {
			const rows = (await match(groups, limit, filter, null)) as readonly Pick<CountedRow, "id">[];
			return rows.map(({ id }) => id);
		},
		matchCounted: async (groups, limit, filter, terms) => {
			const countsOf = countsReader(terms, numbers.of);
			const rows = (await match(groups, limit, filter, countedColumns)) as readonly CountedRow[];
			return rows.map((row) => ({ id: row.id, counted: countsOf(row) }));
		},
		spellings: async (grams, limit) => {
			if (grams.length === 0) return [];
			const wanted = grams.map(numbers.of);
			const shared = wanted.map((gram) => `(grams @> ${arraySql([gram])})::integer`).join(" + ");
			const { rows } = await once(
				`SELECT word FROM word_spellings WHERE ${within} AND grams && ${arraySql(wanted)} ORDER BY ${shared} DESC, word LIMIT ${limit}`,
			);
			return (rows as readonly { readonly word: string }[]).map(({ word }) => word);
		},
	};
}

/** As `addSql` takes it. */
function pageOf(put: readonly WordEntry[], numbers: TermNumbers): readonly string[] {
	const { entries, holders, spellings } = storedPage(put, numbers);
	return [JSON.stringify(entries), JSON.stringify(spellings), listOf([...holders.keys()]), `{${[...holders.values()].join(",")}}`];
}

function sumOf(counts: readonly number[]): number {
	return counts.reduce((sum, count) => sum + count, 0);
}

/** As if the terms were spread over the texts without regard to each other. */
function estimated(counts: readonly number[], texts: number): number {
	const [first = 0] = counts;
	if (counts.length <= 1) return first;
	return Math.round(texts * (1 - counts.reduce((without, count) => without * (1 - Math.min(1, count / texts)), 1)));
}

const countSql = `SELECT c.entries AS texts, c.words AS words, c.grams AS grams,
		(SELECT json_object_agg(t.term, t.holders) FROM word_terms t WHERE t.organisation = c.organisation AND t.collection = c.number
			AND t.term = ANY ($3::text::bigint[])) AS holders
	FROM index_collections c WHERE c.organisation = $1 AND c.kind = 'words' AND c.number = $2`;
