/**
 * Cuts the results of a memory search down to a budget of tokens. Of each chunk the lines or sentences with words of the query are kept, each
 * with the one before and after it, so that it is readable. A line that a shown memory cites is left out. So the budget is enough for
 * passages of many chunks instead of a few whole chunks.
 */

import { limits } from "../model/limits.ts";
import { queryTermsOf } from "../ranking/words/query-terms.ts";
import { indexWords } from "../ranking/words.ts";
import { type Span, sentenceSpans, trimmed } from "../text/sentence-spans.ts";
import { tokensOf } from "../text/tokens.ts";
import { isCorrection, type Pooled } from "./distinct.ts";

/** Passages are chosen from this many of the best results: later chunks contain little of the query. */
export const passagePool = 50;

/** A longer line is split into sentences. */
const lineCharactersMax = 600;
/** The evidence of a line with all words of the query; that of the relevance of its chunk is added. See docs/search.md. */
const wordWeight = 5;
/** How much the words of the lines before and after a line count for it; those two lines away count half of it. A conversation stays on one subject for a while. */
const mixing = { before: 0.7, after: 0.6, reach: 4 } as const;
/** Put between two passages of one chunk. */
const gap = "\n…\n";
/** How many tokens a piece may take besides its text. */
const joint = tokensOf(gap);

/** How many tokens a result with this text may take. */
export function tokensToShow(text: string): number {
	return tokensOf(text) + joint;
}

interface Piece {
	/** The index of its result, and the span in the text of the result. */
	readonly of: number;
	readonly span: Span;
	readonly tokens: number;
	readonly worth: number;
}

/** @param found best first; the order stays */
export function withinTokens(found: readonly Pooled[], query: string, tokensMax: number, limit: number): readonly Pooled[] {
	const pieces = piecesOf(found, query);
	const chosen = choose(pieces, found, tokensMax, limit);
	const kept = Map.groupBy(
		[...chosen].sort((a, b) => a - b).flatMap((i) => pieces[i] ?? []),
		({ of }) => of,
	);
	return found.flatMap((item, i): Pooled[] => {
		const spans = kept.get(i)?.map(({ span }) => span);
		if (spans === undefined) return [];
		if (item.kind === "memory") return [item];
		const text = joined(item.text, spans);
		return [{ ...item, text, chunk: { ...item.chunk, text } }];
	});
}

/** The lines of all results, in the order of the results and of their texts. */
function piecesOf(found: readonly Pooled[], query: string): readonly Piece[] {
	const spans = found.map((item) => (item.kind === "memory" ? [[0, item.text.length] as const] : linesOf(item.text)));
	const words = found.map(({ text }, i) => (spans[i] ?? []).map(([begin, end]) => new Set(indexWords(text.slice(begin, end)))));
	const share = sharesOf(query, words.flat());
	return found.flatMap(({ text, score }, of) => {
		const shares = (words[of] ?? []).map(share);
		return (spans[of] ?? []).map((span, at) => ({
			of,
			span,
			tokens: tokensToShow(text.slice(...span)),
			worth: wordWeight * mixed(shares, at) + Math.log(score / (1 - score + Number.EPSILON)),
		}));
	});
}

function linesOf(text: string): readonly Span[] {
	const lines: Span[] = [];
	for (const { index, 0: line } of text.matchAll(/[^\n]+/g)) {
		const whole = trimmed(text, index, index + line.length);
		if (whole === null) continue;
		if (line.length <= lineCharactersMax) lines.push(whole);
		else lines.push(...sentenceSpans(line).map(([begin, end]) => [index + begin, index + end] as const));
	}
	return lines;
}

/** How much of the query a piece has. A word that fewer pieces have counts more. */
function sharesOf(query: string, pieces: readonly ReadonlySet<string>[]): (held: ReadonlySet<string>) => number {
	const weights = queryTermsOf(query, limits.queryWordsMax).map(({ word, emphasis = 1 }) => {
		const holders = pieces.filter((held) => held.has(word)).length;
		return { word, weight: emphasis * Math.log(1 + (pieces.length - holders + 0.5) / (holders + 0.5)) };
	});
	const all = weights.reduce((sum, { weight }) => sum + weight, Number.EPSILON);
	return (held) => weights.reduce((sum, { word, weight }) => (held.has(word) ? sum + weight : sum), 0) / all;
}

function mixed(shares: readonly number[], at: number): number {
	let sum = shares[at] ?? 0;
	for (let away = 1; away <= mixing.reach; away++) {
		sum += (mixing.before * (shares[at - away] ?? 0) + mixing.after * (shares[at + away] ?? 0)) / away;
	}
	return sum;
}

/** The best pieces with the ones before and after them, as many as fit. */
function choose(pieces: readonly Piece[], found: readonly Pooled[], tokensMax: number, limit: number): ReadonlySet<number> {
	const chosen = new Set<number>();
	const results = new Set<number>();
	let left = tokensMax;
	const take = (i: number, of: number) => {
		const piece = pieces[i];
		if (piece === undefined || piece.of !== of || piece.tokens > left || chosen.has(i) || isCited(i, pieces, found, chosen)) return;
		chosen.add(i);
		results.add(of);
		left -= piece.tokens;
	};
	const order = pieces.map((_, i) => i).sort((a, b) => (pieces[b]?.worth ?? 0) - (pieces[a]?.worth ?? 0) || a - b);
	for (const i of order) {
		const of = pieces[i]?.of ?? 0;
		if (!results.has(of) && results.size === limit) continue;
		for (const beside of [i, i - 1, i + 1]) if (beside === i || chosen.has(i)) take(beside, of);
	}
	return chosen;
}

/** Whether the piece is a memory that says what a chosen line says, or a line that a chosen memory cites. */
function isCited(i: number, pieces: readonly Piece[], found: readonly Pooled[], chosen: ReadonlySet<number>): boolean {
	const item = found[pieces[i]?.of ?? -1];
	const saysMore = item?.kind === "memory" && isCorrection(item.memory);
	return [...chosen].some((other) => (!saysMore && isCitedBy(i, other, pieces, found)) || isCitedBy(other, i, pieces, found));
}

function isCitedBy(memoryPiece: number, linePiece: number, pieces: readonly Piece[], found: readonly Pooled[]): boolean {
	const memory = found[pieces[memoryPiece]?.of ?? -1];
	const line = pieces[linePiece];
	const chunk = found[line?.of ?? -1];
	if (memory?.kind !== "memory" || chunk?.kind !== "chunk" || line === undefined) return false;
	return memory.memory.evidence.some(({ chunk: id, span }) => id === chunk.chunk.id && span[0] < line.span[1] && span[1] > line.span[0]);
}

function joined(text: string, spans: readonly Span[]): string {
	let all = "";
	let reached = -1;
	for (const [begin, end] of spans) {
		const between = reached < 0 ? "" : text.slice(reached, begin);
		all += (between.trim() === "" ? between : gap) + text.slice(begin, end);
		reached = end;
	}
	return all;
}
