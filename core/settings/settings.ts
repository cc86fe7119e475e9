/** The settings of an organisation: how its later documents are read, and which memories are wanted. One record, changed under its version. */

import { fail } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { indexWords, queryWords } from "../ranking/words.ts";
import type { ModelUse } from "./model-uses.ts";

export const appNames = ["googleDrive", "notion", "onedrive", "github"] as const;
type App = (typeof appNames)[number];

/** Each null until it is set. A type and not an interface, since only a type is known to be JSON. */
export type Settings = {
	readonly shouldLLMFilter: boolean | null;
	readonly filterPrompt: string | null;
	/** Texts in a list decide what becomes a memory; anything else is kept as it came, for clients that look for it. */
	readonly includeItems: Json;
	readonly excludeItems: Json;
	readonly categories: readonly string[] | null;
	/** In tokens; null and -1 leave it to the chunkers. */
	readonly chunkSize: number | null;
	readonly profileBuckets: readonly { readonly key: string; readonly description: string }[];
	readonly workspacePrompt: string | null;
	/** What the language model is asked for; null for all that the operator allows. */
	readonly modelUses: readonly ModelUse[] | null;
} & { readonly [Name in `${App}CustomKeyEnabled`]: boolean | null } & {
	/** Secrets are sealed. */
	readonly [Name in `${App}ClientId` | `${App}ClientSecret`]: string | null;
};

export type SettingsChange = Partial<Settings>;

export const secretNames = appNames.map((app) => `${app}ClientSecret` as const);

export const unset: Settings = {
	shouldLLMFilter: null,
	filterPrompt: null,
	includeItems: null,
	excludeItems: null,
	categories: null,
	chunkSize: null,
	profileBuckets: [],
	workspacePrompt: null,
	modelUses: null,
	googleDriveCustomKeyEnabled: null,
	googleDriveClientId: null,
	googleDriveClientSecret: null,
	notionCustomKeyEnabled: null,
	notionClientId: null,
	notionClientSecret: null,
	onedriveCustomKeyEnabled: null,
	onedriveClientId: null,
	onedriveClientSecret: null,
	githubCustomKeyEnabled: null,
	githubClientId: null,
	githubClientSecret: null,
};

const recordId = "settings";

/** One look into the store, cheap enough for every document: so a change holds for the very next one. */
export async function readSettings(records: Pick<RecordStore, "get">, now: Date): Promise<Settings> {
	return settingsIn((await records.get("settings", recordId, now))?.value);
}

/** After a lost race the record is read again. */
const looksMax = 100;

/** @returns the settings as they now are. */
export async function changeSettings(change: SettingsChange, records: RecordStore, world: Pick<World, "now">): Promise<Settings> {
	for (let look = 0; look < looksMax; look++) {
		const now = world.now();
		const found = await records.get("settings", recordId, now);
		const changed: Settings = { ...settingsIn(found?.value), ...change };
		if ((await records.put("settings", recordId, changed, { expected: found?.version ?? 0, expiresAt: null, now })) !== null) return changed;
	}
	throw fail("SETTINGS_CONTESTED");
}

/** Only this store writes the record; one from an older version may lack newer fields. */
function settingsIn(value: Json | undefined): Settings {
	return { ...unset, ...(value as SettingsChange | undefined) };
}

/** Roughly, for English; exact numbers differ from model to model. */
const charactersPerToken = 4;

/** The length of chunks in characters that the organisation has set; null leaves it to the chunkers. */
export function chunkCharactersOf({ chunkSize }: Settings): number | null {
	return chunkSize === null || chunkSize <= 0 ? null : chunkSize * charactersPerToken;
}

/** Which memories an organisation's settings want, exclude and guide, for the document that is being read. */
export interface MemoryOverrides {
	/** Whether a statement may become a memory. */
	readonly isWanted: (statement: string) => boolean;
	/** Whether a statement is excluded: for those of a language model, which sees to what is included by itself and without the very words. */
	readonly isExcluded: (statement: string) => boolean;
	/** The same and more in words, for a language model; null when nothing is set. */
	readonly guidance: string | null;
}

export async function memoryOverridesOf(records: Pick<RecordStore, "get">, now: Date): Promise<MemoryOverrides> {
	const settings = await readSettings(records, now);
	return { ...wishesIn(settings), guidance: guidanceIn(settings) };
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
