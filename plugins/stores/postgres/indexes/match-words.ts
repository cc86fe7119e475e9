/**
 * Finds the best texts by words. Those that hold one of the rarest words are candidates; of these all words are counted. Common words alone
 * lift no text over one with a rare word, and reading all texts with them would take long.
 */

import type { TermGroup } from "cairn-memory";
import { isGramTerm, toleranceOf } from "cairn-memory/words";
import type { PostgresConnection } from "../connection.ts";
import { type CollectionRow, quoted } from "./collections.ts";
import { shortOf } from "./counts-in-text.ts";
import { arraySql, type Term, type TermNumbers } from "./word-terms.ts";

export interface WordMatch {
	readonly groups: readonly TermGroup[];
	readonly limit: number;
	readonly tags: readonly Term[];
	readonly tagsMatch: "all" | "any";
	readonly holders: ReadonlyMap<Term, number>;
	readonly averageLength: number;
	/** What is read of the rows that are found, besides their ids. */
	readonly columns: string | null;
}

/** PostgreSQL takes comparing two arrays for as cheap as comparing two numbers, and would rather compare those of all texts than ask the index. */
const throughIndex = "SET LOCAL enable_seqscan = off";
/** Candidates that are counted at first, about 4 ms, and how many more when too few of them are within the filter. */
const candidatesFirst = 1_000;
const furtherFactor = 8;

interface RankedGroup {
	readonly terms: readonly { readonly number: Term; readonly isGram: boolean }[];
	readonly weight: number;
	/** How many texts hold any of the terms, at most. */
	readonly holders: number;
}

export function matcher({ organisation, number }: CollectionRow, numbers: TermNumbers, once: PostgresConnection["once"]) {
	return async ({ groups, limit, tags, tagsMatch, holders, averageLength, columns }: WordMatch): Promise<readonly unknown[]> => {
		const holdersOf = (terms: readonly Term[]) => terms.reduce((sum, term) => sum + (holders.get(term) ?? 0), 0);
		const ranked = groups
			.map(({ terms, weight }): RankedGroup => {
				const known = terms.map((term) => ({ number: numbers.of(term), isGram: isGramTerm(term) })).filter((term) => holders.get(term.number) !== 0);
				return { terms: known, weight, holders: holdersOf(known.map((term) => term.number)) };
			})
			.filter(({ terms }) => terms.length > 0)
			.sort((a, b) => a.holders - b.holders);
		const tagged = tags.length === 0 ? "" : ` AND terms ${tagsMatch === "all" ? "@>" : "&&"} ${arraySql(tags)}`;
		const isNarrow = tags.length > 0 && (tagsMatch === "all" ? Math.min(...tags.map((tag) => holders.get(tag) ?? 0)) : holdersOf(tags)) <= candidatesFirst;
		for (let most = isNarrow ? Number.POSITIVE_INFINITY : Math.max(candidatesFirst, limit); ranked.length > 0; most *= furtherFactor) {
			const chosen = rarest(ranked, most);
			// Without OFFSET 0 the tolerance would be computed anew for each term.
			const best = `SELECT * FROM (SELECT *, ${scoreSql(ranked)} AS score FROM (SELECT *, ${toleranceSql(averageLength)} AS tolerance FROM word_entries
				WHERE organisation = ${quoted(organisation)} AND collection = ${number} AND ${holdingSql(chosen)}${tagged} OFFSET 0) held) found
				ORDER BY score DESC, id LIMIT ${limit}`;
			const { rows } = await once(`${throughIndex}; SELECT id${columns === null ? "" : `, ${columns}`} FROM (${best}) best ORDER BY score DESC, id`);
			if (rows.length >= limit || chosen.length === ranked.length) return rows;
		}
		return [];
	};
}

/** The rarest groups, as long as they are held by so many texts together; one at least. */
function rarest(ranked: readonly RankedGroup[], most: number): readonly RankedGroup[] {
	let sum = 0;
	return ranked.filter(({ holders }, i) => {
		sum += holders;
		return i === 0 || sum <= most;
	});
}

function holdingSql(groups: readonly RankedGroup[]): string {
	const all = groups.flatMap(({ terms }) => terms);
	const any = (column: string, isGram: boolean) => {
		const terms = all.filter((term) => term.isGram === isGram);
		return terms.length === 0 ? [] : [`${column} && ${arraySql(terms.map((term) => term.number))}`];
	};
	return `(${[...any("terms", false), ...any("grams", true)].join(" OR ")})`;
}

/** As in the formula of `core/ranking`. */
function toleranceSql(averageLength: number): string {
	const { least, perUnit } = toleranceOf(averageLength, "words");
	return `${least}::float8 + ${perUnit}::float8 * word_length`;
}

/**
 * The formula of `core/ranking` without what all texts have in common: a word adds weight * count / (count + tolerance), which is its weight
 * less weight * tolerance / (count + tolerance).
 */
function scoreSql(groups: readonly RankedGroup[]): string {
	const countOf = ({ number, isGram }: RankedGroup["terms"][number]) =>
		isGram ? `(grams @> ${arraySql([number])})::integer` : `coalesce(get_byte(counted, nullif(position('\\x${shortOf(number)}'::bytea IN counted), 0) + 3), 0)`;
	const lacking = groups.map(({ terms, weight }) => {
		const count = terms.length === 1 ? terms.map(countOf).join() : `greatest(${terms.map(countOf).join(", ")})`;
		return `${weight}::float8 / (${count} + tolerance)`;
	});
	return `-tolerance * (${lacking.join(" + ")})`;
}
