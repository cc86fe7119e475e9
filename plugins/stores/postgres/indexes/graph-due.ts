/**
 * When another graph of a collection is due: when it has become large, when much of it was replaced, or when much waits to be in the graph. Until
 * the end of a feed that is only when what waits would take long to compare.
 */

import type { Query } from "../connection.ts";
import type { CollectionRow } from "./collections.ts";
import { countWaiting, isWaitedFor, type VectorFacts } from "./vector-parts.ts";

/** A graph keeps a place for what was deleted, and gets worse. */
const replacedShare = 0.5;
/** From so many on another graph is made sooner than they are put into the one that exists. */
const waitingShare = 0.5;

export interface DueOptions {
	/** Up to so many vectors are compared one by one. */
	readonly exactMax: number;
	/** Until the end of a feed no graph is made for fewer. To compare 100,000 one by one takes a tenth of a second. */
	readonly comparedMax?: number;
}

export interface GraphDue {
	/** Whether there may be something to make or to put into the graph. @param isFed whether more follows at once */
	readonly hasWork: (row: CollectionRow, facts: VectorFacts, isFed: boolean) => boolean;
	readonly isDue: (row: CollectionRow, facts: VectorFacts, isFed: boolean) => Promise<boolean>;
}

export function graphDue(query: Query, { exactMax, comparedMax = 100_000 }: DueOptions): GraphDue {
	/** How many vectors each collection had got when those that wait were counted. */
	const countedAt = new Map<number, number>();

	function isOutdated({ entries, graph, replaced }: VectorFacts, isFed: boolean): boolean {
		if (graph === null) return entries > Math.max(exactMax, isFed ? comparedMax : 0);
		return !isFed && replaced > entries * replacedShare;
	}

	/** Counting 100,000 takes the database as long as putting a page, so during a feed it is not done after each. */
	function isToBeCounted({ number }: CollectionRow, facts: VectorFacts): boolean {
		return Math.abs(gotBy(facts) - (countedAt.get(number) ?? 0)) >= comparedMax / 10;
	}

	return {
		hasWork: (row, facts, isFed) => isOutdated(facts, isFed) || (isWaitedFor(facts) && (!isFed || isToBeCounted(row, facts))),
		isDue: async (row, facts, isFed) => {
			if (isOutdated(facts, isFed) || !isWaitedFor(facts)) return isOutdated(facts, isFed);
			const share = Math.ceil((facts.entries * waitingShare) / (1 + waitingShare));
			const many = isFed ? Math.max(share, comparedMax) : share;
			countedAt.set(row.number, gotBy(facts));
			return (await countWaiting(query, row, facts, many)) === many;
		},
	};
}

/** How many vectors a collection has got since its graph was made, and before. */
function gotBy({ entries, replaced }: VectorFacts): number {
	return entries + replaced;
}
