/** The settings as a form holds them, and back. */

import type { ModelUse, Settings } from "../api/wire.ts";

export interface Bucket {
	readonly key: string;
	readonly description: string;
}

export interface Draft {
	readonly workspacePrompt: string;
	readonly filterPrompt: string;
	/** One a line. Null for what a program has stored and is no list of texts: it stays as it is. */
	readonly includeItems: string | null;
	readonly excludeItems: string | null;
	readonly isFiltering: boolean;
	readonly chunkSize: string;
	readonly buckets: readonly Bucket[];
	/** Null for all that the operator allows. */
	readonly uses: readonly ModelUse[] | null;
}

const words: Readonly<Record<ModelUse, string>> = {
	memories: "Extracting memories",
	summaries: "Titles and summaries",
	queries: "Other phrasings of a question",
	aggregates: "Merging results",
	buckets: "Sorting memories into buckets",
};

export const modelUseWords = Object.entries(words) as readonly (readonly [ModelUse, string])[];

export function toDraft(settings: Settings): Draft {
	const { workspacePrompt, filterPrompt, includeItems, excludeItems, shouldLLMFilter, chunkSize, profileBuckets, modelUses } = settings;
	return {
		workspacePrompt: workspacePrompt ?? "",
		filterPrompt: filterPrompt ?? "",
		includeItems: toLines(includeItems),
		excludeItems: toLines(excludeItems),
		isFiltering: shouldLLMFilter !== false,
		chunkSize: chunkSize == null || chunkSize === -1 ? "" : String(chunkSize),
		buckets: profileBuckets ?? [],
		uses: modelUses ?? null,
	};
}

/** Only what differs, so that what nobody touched stays null. */
export function toChange(draft: Draft, settings: Settings): Partial<Settings> {
	const before = toDraft(settings);
	const changed = <Name extends keyof Draft>(name: Name) => JSON.stringify(draft[name]) !== JSON.stringify(before[name]);
	return {
		...(changed("workspacePrompt") && { workspacePrompt: orNull(draft.workspacePrompt) }),
		...(changed("filterPrompt") && { filterPrompt: orNull(draft.filterPrompt) }),
		...(changed("includeItems") && { includeItems: fromLines(draft.includeItems ?? "") }),
		...(changed("excludeItems") && { excludeItems: fromLines(draft.excludeItems ?? "") }),
		...(changed("isFiltering") && { shouldLLMFilter: draft.isFiltering }),
		// What is no number is left to the server, which says what would be right.
		...(changed("chunkSize") && { chunkSize: draft.chunkSize.trim() === "" ? null : Number(draft.chunkSize) || (draft.chunkSize as unknown as number) }),
		...(changed("buckets") && { profileBuckets: draft.buckets.filter(({ key }) => key !== "") }),
		...(changed("uses") && { modelUses: draft.uses }),
	};
}

function toLines(items: unknown): string | null {
	if (items == null) return "";
	return Array.isArray(items) && items.every((item) => typeof item === "string") ? items.join("\n") : null;
}

function fromLines(text: string): readonly string[] | null {
	const lines = text
		.split("\n")
		.map((line) => line.trim())
		.filter(Boolean);
	return lines.length === 0 ? null : lines;
}

function orNull(text: string): string | null {
	return text.trim() === "" ? null : text.trim();
}
