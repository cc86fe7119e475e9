/** What an organisation's settings mean for the document that is being read. */

import { limits } from "../model/limits.ts";
import type { RecordStore } from "../ports/record-store.ts";
import { indexWords, queryWords } from "../search/words.ts";
import { readSettings, type Settings } from "./settings.ts";

export interface Steering {
	/** How long a chunk shall be and no longer; null leaves it to the chunkers. */
	readonly chunkCharacters: number | null;
	/** Whether a statement may become a memory. */
	readonly isWanted: (statement: string) => boolean;
}

/** What a token of English comes to; exact numbers differ from model to model. */
const charactersPerToken = 4;

export async function steeringOf(records: Pick<RecordStore, "get">, now: Date): Promise<Steering> {
	const settings = await readSettings(records, now);
	const { chunkSize } = settings;
	return { chunkCharacters: chunkSize === null || chunkSize <= 0 ? null : chunkSize * charactersPerToken, isWanted: wantedBy(settings) };
}

/** A statement touches an item when it has all of its words, whatever their endings. An item that is excluded wins. */
function wantedBy({ shouldLLMFilter, includeItems, excludeItems }: Settings): Steering["isWanted"] {
	if (shouldLLMFilter === false) return () => true;
	const included = itemsOf(includeItems);
	const excluded = itemsOf(excludeItems);
	if (included.length + excluded.length === 0) return () => true;
	return (statement) => {
		const words = new Set(indexWords(statement));
		const touches = (item: readonly string[]) => item.every((word) => words.has(word));
		return !excluded.some(touches) && (included.length === 0 || included.some(touches));
	};
}

/** The texts of a list, each as its words; what else may stand there is not for us. */
function itemsOf(items: Settings["includeItems"]): readonly (readonly string[])[] {
	if (!Array.isArray(items)) return [];
	return items.flatMap((item: unknown) => (typeof item === "string" ? [queryWords(item, limits.queryWordsMax)] : [])).filter(({ length }) => length > 0);
}
