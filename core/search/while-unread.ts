/** While the words of an organisation are still being read, a search is answered by vectors alone, if they find anything. */

import { limits } from "../model/limits.ts";
import type { Step } from "../plugin/contract.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { WordIndex } from "../ports/word-index.ts";
import type { Trace } from "./trace.ts";

/**
 * Searches without the words that are not read in time. Where that finds nothing, it says nothing about what is there:
 * then the search is made once more, and waits for them.
 */
export async function whileUnread<Found>(
	rooms: OrganisationRooms,
	search: (rooms: OrganisationRooms) => Promise<readonly Found[]>,
	step: Step,
	trace?: Trace,
): Promise<readonly Found[]> {
	let areUnread = false;
	const words = wordsInTime(rooms.words, () => {
		areUnread = true;
	});
	const found = await search({ ...rooms, words });
	if (!areUnread) return found;
	if (found.length === 0) return search(rooms);
	step.log("warn", "a search is answered by vectors alone: the words are still being read", { results: found.length });
	trace?.unread();
	return found;
}

/** Finds nothing while the texts are being read. */
function wordsInTime(inner: WordIndex, onUnread: () => void): WordIndex {
	const inTime = async <Hit>(matching: Promise<readonly Hit[] | null>): Promise<readonly Hit[]> => {
		const hits = await matching;
		if (hits === null) onUnread();
		return hits ?? [];
	};
	return {
		...inner,
		matchChunks: (...asked) => inTime(inner.matchChunksWithin(limits.wordsReadMsMax, ...asked)),
		matchMemories: (...asked) => inTime(inner.matchMemoriesWithin(limits.wordsReadMsMax, ...asked)),
	};
}
