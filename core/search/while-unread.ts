/** A search does not wait until the word index has read all texts: it answers from those it has read, and from vectors. */

import { limits } from "../model/limits.ts";
import type { Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { Matched, WordSearch } from "../ports/word-search.ts";
import type { Trace } from "./trace.ts";

/** What is left out is reported in the log and in an explanation; it is found a moment later. */
export async function whileUnread<AnyHit>(
	tenant: TenantStore,
	search: (tenant: TenantStore) => Promise<readonly AnyHit[]>,
	step: Step,
	trace?: Trace,
): Promise<readonly AnyHit[]> {
	let areUnread = false;
	const words = wordsInTime(tenant.words, () => {
		areUnread = true;
	});
	const found = await search({ ...tenant, words });
	if (!areUnread) return found;
	step.log("info", "a search is answered before all words are read: the rest is found by vectors alone", { results: found.length });
	trace?.unread();
	return found;
}

function wordsInTime(inner: WordSearch, onUnread: () => void): WordSearch {
	const inTime = async <Hit>(matching: Promise<Matched<Hit>>): Promise<readonly Hit[]> => {
		const { hits, isWhole } = await matching;
		if (!isWhole) onUnread();
		return hits;
	};
	return {
		...inner,
		matchChunks: (...asked) => inTime(inner.matchChunksWithin(limits.wordsReadMsMax, ...asked)),
		matchMemories: (...asked) => inTime(inner.matchMemoriesWithin(limits.wordsReadMsMax, ...asked)),
	};
}
