/** Which memories an organisation's settings want, exclude and guide, for the document that is being read. */

import { limits } from "../model/limits.ts";
import type { RecordStore } from "../ports/record-store.ts";
import { indexWords, queryWords } from "../ranking/words.ts";
import { readSettings, type Settings } from "./settings.ts";

export interface MemoryOverrides {
	/** How long a chunk shall be and no longer; null leaves it to the chunkers. */
	readonly chunkCharacters: number | null;
	/** Whether a statement may become a memory. */
	readonly isWanted: (statement: string) => boolean;
	/** Whether a statement is excluded: for those of a language model, which sees to what is included by itself and without the very words. */
	readonly isExcluded: (statement: string) => boolean;
	/** The same and more in words, for a language model; null when nothing is set. */
	readonly guidance: string | null;
}

/** What a token of English comes to; exact numbers differ from model to model. */
const charactersPerToken = 4;

export async function memoryOverridesOf(records: Pick<RecordStore, "get">, now: Date): Promise<MemoryOverrides> {
	const settings = await readSettings(records, now);
	const { chunkSize } = settings;
	return {
		chunkCharacters: chunkSize === null || chunkSize <= 0 ? null : chunkSize * charactersPerToken,
		...wishesIn(settings),
		guidance: guidanceIn(settings),
	};
}

/** `shouldLLMFilter: false` lets everything through, whatever else is set; what the workspace is about is no filter. */
function guidanceIn({ shouldLLMFilter, filterPrompt, workspacePrompt, includeItems, excludeItems, categories }: Settings): string | null {
	const isFiltered = shouldLLMFilter !== false;
	const lines = [
		["About the workspace", workspacePrompt],
		["What to remember and what not", isFiltered ? filterPrompt : null],
		["Only what belongs to one of these", isFiltered ? listed(categories) : null],
		["Only what concerns one of these", isFiltered ? listed(includeItems) : null],
		["Nothing that concerns one of these", isFiltered ? listed(excludeItems) : null],
	].flatMap(([name, words]) => (words === null || words === undefined || words.trim() === "" ? [] : [`${name}: ${words.trim()}`]));
	return lines.length === 0 ? null : lines.join("\n");
}

function listed(items: Settings["includeItems"]): string | null {
	return Array.isArray(items) ? items.filter((item: unknown) => typeof item === "string").join("; ") : null;
}

/** A statement touches an item when it has all of its words, whatever their endings. An item that is excluded wins. */
function wishesIn({ shouldLLMFilter, includeItems, excludeItems }: Settings): Pick<MemoryOverrides, "isWanted" | "isExcluded"> {
	const isFiltered = shouldLLMFilter !== false;
	const included = isFiltered ? itemsOf(includeItems) : [];
	const excluded = isFiltered ? itemsOf(excludeItems) : [];
	const touches = (items: readonly (readonly string[])[], statement: string) => {
		const words = new Set(items.length === 0 ? [] : indexWords(statement));
		return items.some((item) => item.every((word) => words.has(word)));
	};
	const isExcluded = (statement: string) => touches(excluded, statement);
	return { isExcluded, isWanted: (statement) => !isExcluded(statement) && (included.length === 0 || touches(included, statement)) };
}

/** The texts of a list, each as its words; what else may stand there is not for us. */
function itemsOf(items: Settings["includeItems"]): readonly (readonly string[])[] {
	if (!Array.isArray(items)) return [];
	return items.flatMap((item: unknown) => (typeof item === "string" ? [queryWords(item, limits.queryWordsMax)] : [])).filter(({ length }) => length > 0);
}
