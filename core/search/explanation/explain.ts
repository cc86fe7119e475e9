/** A search that also explains its answer: what it compared, what it left out, and what cannot be found yet. */

import type { DocumentId } from "../../model/id.ts";
import { momentFilter, momentOf } from "../../model/moment.ts";
import type { Scope } from "../../model/scope.ts";
import { type DocumentStatus, unfinishedStatuses } from "../../model/status.ts";
import type { Step } from "../../plugin/contract.ts";
import { type DocumentQuery, type FoundDocument, type SearchParts, searchDocuments } from "../search-documents.ts";
import { type FoundItem, type MemoryQuery, searchMemories } from "../search-memories.ts";
import { createTrace, type Judged, type KeptTrace } from "../trace.ts";
import { languageHint } from "./language-hint.ts";
import { why } from "./why.ts";

export interface Explained<Result> {
	readonly results: readonly Result[];
	readonly explanation: Explanation;
	/** By the id of a chunk or a memory. */
	readonly partsOf: KeptTrace["partsOf"];
}

export interface Counted {
	readonly inScope: number;
	/** In the same containers, documents and paths, but not let through by the filter. */
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
	/** Null when no memories were looked for. */
	readonly memories: Counted | null;
	readonly candidates: {
		/** Chunks and memories that came near enough to be compared. */
		readonly seen: number;
		readonly threshold: number;
		readonly belowThreshold: number;
		/** The score of the best of those; null when there are none. */
		readonly bestBelow: number | null;
	};
	/** What was searched for: the query and its rewritings. */
	readonly variants: readonly string[];
	/** In words, where there are fewer results than were asked for. */
	readonly why: string | null;
	/** In words, where the query is in a language that the embedder does not know, or where words were still being read. */
	readonly hint: string | null;
}

export async function explainDocuments(query: DocumentQuery, parts: SearchParts, step: Step): Promise<Explained<FoundDocument>> {
	const trace = createTrace(parts.embedder.space);
	const [results, documents] = await Promise.all([searchDocuments(query, parts, step, trace), countDocuments(query.scope, parts)]);
	const threshold = Math.max(query.chunkThreshold, query.documentThreshold);
	const judged = trace.all();
	const best = bestByDocument(judged);
	const below = judged.filter(
		({ score, document }) => score < query.chunkThreshold || (document !== null && (best.get(document) ?? 0) < query.documentThreshold),
	);
	const seen = { seen: judged.length, threshold, belowThreshold: below.length, bestBelow: bestOf(below) };
	const said = {
		scope: query.scope,
		documents,
		memories: null,
		candidates: seen,
		variants: trace.variants(),
		hint: hintOf(query.query, parts, trace),
	};
	return explained(results, said, query.limit, trace);
}

export async function explainMemories(query: MemoryQuery, parts: SearchParts, step: Step): Promise<Explained<FoundItem>> {
	const trace = createTrace(parts.embedder.space);
	const [results, documents, memories] = await Promise.all([
		searchMemories(query, parts, step, trace),
		countDocuments({ ...query.scope, tagsMatch: "any" }, parts),
		query.mode === "documents" ? null : countMemories(query, parts),
	]);
	const judged = trace.all();
	const below = judged.filter(({ score }) => score < query.threshold);
	const seen = { seen: judged.length, threshold: query.threshold, belowThreshold: below.length, bestBelow: bestOf(below) };
	const said = { scope: query.scope, documents, memories, candidates: seen, variants: trace.variants(), hint: hintOf(query.query, parts, trace) };
	return explained(results, said, query.limit, trace);
}

function explained<Result>(results: readonly Result[], said: Omit<Explanation, "why">, limit: number, trace: KeptTrace): Explained<Result> {
	const reason = results.length < limit ? why(said, results.length, trace.areWordsUnread()) : null;
	return { results, partsOf: trace.partsOf, explanation: { ...said, why: reason } };
}

function hintOf(query: string, { embedder }: SearchParts, trace: KeptTrace): string | null {
	const unread = trace.areWordsUnread()
		? "The words of some texts are still being read: of those, what is found was found by vectors alone. Ask again soon."
		: null;
	const hints = [languageHint(query, embedder), unread].filter((hint) => hint !== null);
	return hints.length === 0 ? null : hints.join(" ");
}

function bestByDocument(judged: readonly Judged[]): ReadonlyMap<DocumentId, number> {
	const best = new Map<DocumentId, number>();
	for (const { document, score } of judged) if (document !== null) best.set(document, Math.max(score, best.get(document) ?? 0));
	return best;
}

function bestOf(judged: readonly Judged[]): number | null {
	return judged.length === 0 ? null : Math.max(...judged.map(({ score }) => score));
}

async function countDocuments(scope: Scope, { tenant: { documents } }: SearchParts): Promise<Explanation["documents"]> {
	const [statuses, unfiltered, dreaming] = await Promise.all([
		documents.tally(scope, "status"),
		scope.filter === null ? null : documents.tally({ ...scope, filter: null }, "status"),
		documents.tally(scope, "dreamingStatus"),
	]);
	const of = (names: readonly DocumentStatus[]) => names.reduce((sum, name) => sum + (statuses.get(name) ?? 0), 0);
	const inScope = sumOf(statuses);
	const beingIndexed = of(unfinishedStatuses);
	const failed = of(["failed"]);
	return {
		inScope,
		removedByFilter: unfiltered === null ? 0 : Math.max(0, sumOf(unfiltered) - inScope),
		beingIndexed,
		failed,
		// What failed or is being indexed dreams as well; only what is done can be waited for.
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
