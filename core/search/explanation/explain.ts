/** A search that also explains its answer: what it compared, what it left out, and what cannot be found yet. */

import type { DocumentId } from "../../model/id.ts";
import { momentFilter, momentOf } from "../../model/moment.ts";
import type { Scope } from "../../model/scope.ts";
import { type DocumentStatus, unfinishedStatuses } from "../../model/status.ts";
import type { Step } from "../../plugin/contract.ts";
import { type DocumentQuery, type FoundDocument, type SearchParts, searchDocuments } from "../search-documents.ts";
import { type FoundItem, type MemoryQuery, searchMemories } from "../search-memories.ts";
import { createTrace, type ReadableTrace, type ScoredItem } from "../trace.ts";
import { languageHint } from "./language-hint.ts";
import { why } from "./why.ts";

export interface Explained<Result> {
	readonly results: readonly Result[];
	readonly explanation: Explanation;
	/** How the score of a chunk or memory was computed, by its id. */
	readonly scorePartsOf: ReadableTrace["scorePartsOf"];
}

export interface Counted {
	readonly inScope: number;
	/** In the same containers, documents and paths, but excluded by the filter. */
	readonly removedByFilter: number;
}

export interface Explanation {
	readonly scope: Scope;
	readonly documents: Counted & {
		readonly beingIndexed: number;
		readonly failed: number;
		/** Done, but their memories are still being extracted. */
		readonly dreaming: number;
	};
	/** Null if no memories were searched. */
	readonly memories: Counted | null;
	readonly candidates: {
		/** Chunks and memories whose scores were computed. */
		readonly seen: number;
		readonly threshold: number;
		readonly belowThreshold: number;
		/** The best score below the threshold; null if there is none. */
		readonly bestBelow: number | null;
	};
	/** What was searched for: the query and its rewritings. */
	readonly variants: readonly string[];
	/** A sentence on why there are fewer results than asked for; null if there are not fewer. */
	readonly why: string | null;
	/** A sentence if the embedder does not know the language of the query, or if the word index had not read all texts yet; else null. */
	readonly hint: string | null;
}

export async function explainDocuments(query: DocumentQuery, parts: SearchParts, step: Step): Promise<Explained<FoundDocument>> {
	const trace = createTrace(parts.embedder.space);
	const [results, documents] = await Promise.all([searchDocuments(query, parts, step, trace), countDocuments(query.scope, parts)]);
	const threshold = Math.max(query.chunkThreshold, query.documentThreshold);
	const scored = trace.all();
	const best = bestByDocument(scored);
	const below = scored.filter(
		({ score, document }) => score < query.chunkThreshold || (document !== null && (best.get(document) ?? 0) < query.documentThreshold),
	);
	const candidates = { seen: scored.length, threshold, belowThreshold: below.length, bestBelow: bestOf(below) };
	const explanation = {
		scope: query.scope,
		documents,
		memories: null,
		candidates,
		variants: trace.variants(),
		hint: hintOf(query.query, parts, trace),
	};
	return explained(results, explanation, query.limit, trace);
}

export async function explainMemories(query: MemoryQuery, parts: SearchParts, step: Step): Promise<Explained<FoundItem>> {
	const trace = createTrace(parts.embedder.space);
	const [results, documents, memories] = await Promise.all([
		searchMemories(query, parts, step, trace),
		countDocuments({ ...query.scope, tagsMatch: "any" }, parts),
		query.mode === "documents" ? null : countMemories(query, parts),
	]);
	const scored = trace.all();
	const below = scored.filter(({ score }) => score < query.threshold);
	const candidates = { seen: scored.length, threshold: query.threshold, belowThreshold: below.length, bestBelow: bestOf(below) };
	const explanation = { scope: query.scope, documents, memories, candidates, variants: trace.variants(), hint: hintOf(query.query, parts, trace) };
	return explained(results, explanation, query.limit, trace);
}

function explained<Result>(results: readonly Result[], explanation: Omit<Explanation, "why">, limit: number, trace: ReadableTrace): Explained<Result> {
	const reason = results.length < limit ? why(explanation, results.length, trace.areWordsUnread()) : null;
	return { results, scorePartsOf: trace.scorePartsOf, explanation: { ...explanation, why: reason } };
}

function hintOf(query: string, { embedder }: SearchParts, trace: ReadableTrace): string | null {
	const unread = trace.areWordsUnread()
		? "The words of some texts are still being read; until then these texts are only found by their vectors. Ask again soon."
		: null;
	const hints = [languageHint(query, embedder), unread].filter((hint) => hint !== null);
	return hints.length === 0 ? null : hints.join(" ");
}

function bestByDocument(scored: readonly ScoredItem[]): ReadonlyMap<DocumentId, number> {
	const best = new Map<DocumentId, number>();
	for (const { document, score } of scored) if (document !== null) best.set(document, Math.max(score, best.get(document) ?? 0));
	return best;
}

function bestOf(scored: readonly ScoredItem[]): number | null {
	return scored.length === 0 ? null : Math.max(...scored.map(({ score }) => score));
}

async function countDocuments(scope: Scope, { tenant: { documents } }: SearchParts): Promise<Explanation["documents"]> {
	const [{ status: statuses, dreamingStatus: dreaming }, unfiltered] = await Promise.all([
		documents.tally(scope, ["status", "dreamingStatus"]),
		scope.filter === null ? null : documents.tally({ ...scope, filter: null }, ["status"]),
	]);
	const of = (names: readonly DocumentStatus[]) => names.reduce((sum, name) => sum + (statuses.get(name) ?? 0), 0);
	const inScope = sumOf(statuses);
	const beingIndexed = of(unfinishedStatuses);
	const failed = of(["failed"]);
	return {
		inScope,
		removedByFilter: unfiltered === null ? 0 : Math.max(0, sumOf(unfiltered.status) - inScope),
		beingIndexed,
		failed,
		// Documents that failed or are being indexed have the status `dreaming` too, but only the memories of finished documents are to come soon.
		dreaming: Math.max(0, (dreaming.get("dreaming") ?? 0) - beingIndexed - failed),
	};
}

async function countMemories({ scope, includeForgotten, now, asOf, trueAt }: MemoryQuery, { tenant: { memories } }: SearchParts): Promise<Counted> {
	const count = (within: Scope) => memories.count({ scope: within, includeForgotten, now, ...momentFilter(momentOf(asOf, trueAt, now)) });
	const [inScope, unfiltered] = await Promise.all([count(scope), scope.filter === null ? null : count({ ...scope, filter: null })]);
	return { inScope, removedByFilter: unfiltered === null ? 0 : Math.max(0, unfiltered - inScope) };
}

function sumOf(counts: ReadonlyMap<string, number>): number {
	return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
