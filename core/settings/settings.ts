/** The settings of an organisation: how its documents are processed from now on, and which memories are extracted. They are stored in one versioned record. */

import { fail } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import { limits } from "../model/limits.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { indexWords, queryWords } from "../ranking/words.ts";
import type { ModelUse } from "./model-uses.ts";

export const appNames = ["googleDrive", "notion", "onedrive", "github"] as const;
type App = (typeof appNames)[number];

/** Most settings are null until they are set. It is a type alias because TypeScript does not assign an interface to a JSON type. */
export type Settings = {
	readonly shouldLLMFilter: boolean | null;
	readonly filterPrompt: string | null;
	/** The strings of a list decide what becomes a memory. Any other JSON value has no effect and is stored unchanged, for clients that read it back. */
	readonly includeItems: Json;
	readonly excludeItems: Json;
	readonly categories: readonly string[] | null;
	/** In tokens; with null or -1 the chunkers choose the size. */
	readonly chunkSize: number | null;
	readonly profileBuckets: readonly { readonly key: string; readonly description: string }[];
	readonly workspacePrompt: string | null;
	/** The tasks that the language model may be used for; null for all that the operator allows. */
	readonly modelUses: readonly ModelUse[] | null;
} & { readonly [Name in `${App}CustomKeyEnabled`]: boolean | null } & {
	/** Secrets are encrypted. */
	readonly [Name in `${App}ClientId` | `${App}ClientSecret`]: string | null;
};

export type SettingsChange = Partial<Settings>;

export const secretNames = appNames.map((app) => `${app}ClientSecret` as const);

export const defaultSettings: Settings = {
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

/** Reads the record each time, which is cheap enough for every document, so that a change applies to the next document at once. */
export async function readSettings(records: Pick<RecordStore, "get">, now: Date): Promise<Settings> {
	return settingsIn((await records.get("settings", recordId, now))?.value);
}

/** If the record was changed between the read and the write, the change is tried again, up to this many times. */
const triesMax = 100;

/** @returns the changed settings. */
export async function changeSettings(change: SettingsChange, records: RecordStore, world: Pick<World, "now">): Promise<Settings> {
	for (let tries = 0; tries < triesMax; tries++) {
		const now = world.now();
		const found = await records.get("settings", recordId, now);
		const changed: Settings = { ...settingsIn(found?.value), ...change };
		if ((await records.put("settings", recordId, changed, { expected: found?.version ?? 0, expiresAt: null, now })) !== null) return changed;
	}
	throw fail("SETTINGS_CONTESTED");
}

/** Only this store writes the record; one from an older version may lack newer fields. */
function settingsIn(value: Json | undefined): Settings {
	return { ...defaultSettings, ...(value as SettingsChange | undefined) };
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
	/** Whether a statement is excluded. This alone is used for statements of a language model, which applies the list of included items itself. */
	readonly isExcluded: (statement: string) => boolean;
	/** The same settings and the prompts as a text for a language model; null if nothing is set. */
	readonly guidance: string | null;
}

export async function readMemoryOverrides(records: Pick<RecordStore, "get">, now: Date): Promise<MemoryOverrides> {
	const settings = await readSettings(records, now);
	return { ...filtersIn(settings), guidance: guidanceIn(settings) };
}

/** With `shouldLLMFilter: false` only the description of the workspace is used, since it is not a filter. */
function guidanceIn({ shouldLLMFilter, filterPrompt, workspacePrompt, includeItems, excludeItems, categories }: Settings): string | null {
	const isFiltered = shouldLLMFilter !== false;
	const lines = [
		["About the workspace", workspacePrompt],
		["What to remember and what not", isFiltered ? filterPrompt : null],
		["Only what belongs to one of these", isFiltered ? joined(categories) : null],
		["Only what concerns one of these", isFiltered ? joined(includeItems) : null],
		["Nothing that concerns one of these", isFiltered ? joined(excludeItems) : null],
	].flatMap(([name, words]) => (words === null || words === undefined || words.trim() === "" ? [] : [`${name}: ${words.trim()}`]));
	return lines.length === 0 ? null : lines.join("\n");
}

function joined(items: Settings["includeItems"]): string | null {
	return Array.isArray(items) ? items.filter((item: unknown) => typeof item === "string").join("; ") : null;
}

/** A statement matches an item if it contains all of its words, whatever their endings. Excluded items take precedence. */
function filtersIn({ shouldLLMFilter, includeItems, excludeItems }: Settings): Pick<MemoryOverrides, "isWanted" | "isExcluded"> {
	const isFiltered = shouldLLMFilter !== false;
	const included = isFiltered ? itemsOf(includeItems) : [];
	const excluded = isFiltered ? itemsOf(excludeItems) : [];
	const matchesAny = (items: readonly (readonly string[])[], statement: string) => {
		const words = new Set(items.length === 0 ? [] : indexWords(statement));
		return items.some((item) => item.every((word) => words.has(word)));
	};
	const isExcluded = (statement: string) => matchesAny(excluded, statement);
	return { isExcluded, isWanted: (statement) => !isExcluded(statement) && (included.length === 0 || matchesAny(included, statement)) };
}

/** The words of each string of a list; other values are ignored. */
function itemsOf(items: Settings["includeItems"]): readonly (readonly string[])[] {
	if (!Array.isArray(items)) return [];
	return items.flatMap((item: unknown) => (typeof item === "string" ? [queryWords(item, limits.queryWordsMax)] : [])).filter(({ length }) => length > 0);
}
