/** Explains in sentences why a search has few or no results. */

import type { Explanation } from "./explain.ts";

type ExplainedCounts = Omit<Explanation, "why" | "hint">;

/** @param areWordsUnread whether some texts were searched by vectors alone */
export function why(counts: ExplainedCounts, results: number, areWordsUnread = false): string {
	const { documents, memories } = counts;
	const isEmpty = documents.inScope === 0 && (memories === null || memories.inScope === 0);
	if (isEmpty) return nothingThere(counts);
	const sentences = [...notReady(counts), ...filtered(counts), ...withoutMemories(counts), ...belowThreshold(counts)];
	if (areWordsUnread) sentences.push("The words of some texts are still being read, so texts that can only be found by their words are missing.");
	if (sentences.length === 0) sentences.push(results === 0 ? "Nothing in scope has anything in common with the query." : "Nothing else in scope fits.");
	return sentences.join(" ");
}

function nothingThere({ scope, documents, memories }: ExplainedCounts): string {
	const removed = documents.removedByFilter + (memories?.removedByFilter ?? 0);
	if (removed > 0) return `The filter lets nothing through: ${things(documents.removedByFilter, "document")} would be in scope without it.`;
	if (scope.document !== null || scope.filepath !== null) return "Nothing lies under this document or path.";
	if (scope.containerTags.length > 0) return `There is nothing in ${scope.containerTags.length === 1 ? "container" : "containers"} ${list(scope)}.`;
	return "There are no documents yet.";
}

/** The first three tags by name; further ones are only counted. */
function list({ containerTags, tagsMatch }: ExplainedCounts["scope"]): string {
	const shown = containerTags.slice(0, 3).join(tagsMatch === "all" ? " and " : " or ");
	return containerTags.length > 3 ? `${shown} and ${containerTags.length - 3} more` : shown;
}

function notReady({ documents: { beingIndexed, failed } }: ExplainedCounts): string[] {
	const indexing = `${things(beingIndexed, "document")} in scope ${beingIndexed === 1 ? "is" : "are"} still being indexed; ask again when ${beingIndexed === 1 ? "it is" : "they are"} done.`;
	return [...(beingIndexed > 0 ? [indexing] : []), ...(failed > 0 ? [`${things(failed, "document")} in scope failed and cannot be found.`] : [])];
}

function filtered({ documents, memories }: ExplainedCounts): string[] {
	const removed = [
		...(documents.removedByFilter > 0 ? [things(documents.removedByFilter, "document")] : []),
		...(memories !== null && memories.removedByFilter > 0 ? [things(memories.removedByFilter, "memory", "memories")] : []),
	];
	return removed.length === 0 ? [] : [`The filter keeps out ${removed.join(" and ")}.`];
}

function withoutMemories({ documents, memories }: ExplainedCounts): string[] {
	if (memories === null || memories.inScope > 0) return [];
	const { dreaming } = documents;
	if (dreaming > 0) return [`The memories of ${things(dreaming, "document")} are still being drawn.`];
	return ["No memories have been drawn from these documents; searchMode hybrid or documents also searches their texts."];
}

function belowThreshold({ candidates: { belowThreshold: count, bestBelow, threshold } }: ExplainedCounts): string[] {
	if (bestBelow === null) return [];
	return [`${things(count, "candidate")} fell below the threshold of ${threshold}; the best of them scored ${bestBelow.toFixed(2)}.`];
}

function things(count: number, one: string, several = `${one}s`): string {
	return `${count} ${count === 1 ? one : several}`;
}
