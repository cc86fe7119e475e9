/** The settings of an organisation: how its later documents are read. One record, changed under its version. */

import { fail } from "../errors/fail.ts";
import type { Json } from "../model/json.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
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
