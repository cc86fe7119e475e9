/** Parses the bodies of `/v3/settings`. */

import { type TSchema, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { Json } from "../../../../core/model/json.ts";
import { limits } from "../../../../core/model/limits.ts";
import { modelUses } from "../../../../core/settings/model-uses.ts";
import { appNames, type SettingsChange, secretNames } from "../../../../core/settings/settings.ts";
import { reader } from "../../requests/reader.ts";
import { profileBuckets, toBuckets } from "./profile-buckets.ts";

/** Replaces a secret in responses. If a client sends it back, the secret stays unchanged. */
export const secretPlaceholder = "********";

/** The most characters of a stored list or object, as JSON. */
const itemsCharactersMax = 64 * 1024;
/** In tokens. A shorter chunk would not contain a whole sentence, a longer one exceeds the context window of most embedders. */
const [chunkSizeMin, chunkSizeMax] = [32, 2_048];

const orNull = <Schema extends TSchema>(schema: Schema, description: string) => Type.Union([schema, Type.Null()], { nullable: true, description });
const text = Type.String({ maxLength: 2_000 });

const appFields = Object.fromEntries(
	appNames.flatMap((app) => [
		[`${app}CustomKeyEnabled`, Type.Optional(orNull(Type.Boolean(), "Whether an app of your own is used to sign in there."))],
		[`${app}ClientId`, Type.Optional(orNull(text, "The app's id there."))],
		[`${app}ClientSecret`, Type.Optional(orNull(text, `The app's secret there. It is stored encrypted and returned as ${secretPlaceholder}.`))],
	]),
);

const items = (description: string) => Type.Optional(Type.Unknown({ nullable: true, description, examples: [["travel", "music"]] }));

export const changeSettingsBody = Type.Object({
	shouldLLMFilter: Type.Optional(orNull(Type.Boolean(), "`false` turns includeItems and excludeItems off.")),
	filterPrompt: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 750 }), "What matters, in words. It is used to suggest buckets.")),
	includeItems: items("A list of topics: only facts about one of them become memories. A value of another type is stored and has no effect."),
	excludeItems: items("A list of topics: facts about them become no memories. A value of another type is stored and has no effect."),
	categories: Type.Optional(
		orNull(Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: limits.settingItemsMax }), "Stored, but not used yet."),
	),
	chunkSize: Type.Optional(
		orNull(Type.Integer(), `The length of chunks, in tokens of about four characters: ${chunkSizeMin} to ${chunkSizeMax}. -1 means the server's default.`),
	),
	profileBuckets: Type.Optional(profileBuckets),
	workspacePrompt: Type.Optional(orNull(Type.String({ maxLength: 1_500 }), "What the organisation is about. It is used to suggest buckets.")),
	modelUses: Type.Optional(
		orNull(
			Type.Array(Type.Union(modelUses.map((use) => Type.Literal(use))), { maxItems: modelUses.length, expected: `some of ${modelUses.join(", ")}` }),
			"What the language model is asked for, of what the operator allows; null for all of that, an empty list for nothing.",
		),
	),
	...appFields,
});

const readChange = reader(changeSettingsBody);

/** @throws ServiceError `INPUT_INVALID` */
export function parseChangeSettings(raw: unknown): SettingsChange {
	const { profileBuckets: buckets, includeItems, excludeItems, chunkSize, ...rest } = readChange(raw);
	const secrets = new Set<string>(secretNames);
	return {
		...Object.fromEntries(Object.entries(rest).filter(([name, value]) => !(secrets.has(name) && value === secretPlaceholder))),
		...(includeItems === undefined ? {} : { includeItems: checkLength(includeItems, "includeItems") }),
		...(excludeItems === undefined ? {} : { excludeItems: checkLength(excludeItems, "excludeItems") }),
		...(chunkSize === undefined ? {} : { chunkSize: checkChunkSize(chunkSize) }),
		...(buckets === undefined ? {} : { profileBuckets: toBuckets(buckets) }),
	};
}

/** Rejects a value that is too long to be stored as JSON. */
function checkLength(value: unknown, name: string): Json {
	if (JSON.stringify(value).length > itemsCharactersMax)
		throw fail("INPUT_INVALID", `${name} should have no more than ${itemsCharactersMax} characters as JSON`);
	return value as Json;
}

function checkChunkSize(size: number | null): number | null {
	if (size === null || size === -1 || (size >= chunkSizeMin && size <= chunkSizeMax)) return size;
	throw fail("INPUT_INVALID", `chunkSize should be -1, or from ${chunkSizeMin} to ${chunkSizeMax}`);
}

export const resetBody = Type.Object({
	confirmation: Type.String({ minLength: 1, maxLength: 200, description: "`RESET`, or the slug of the organisation.", examples: ["RESET"] }),
});

const readReset = reader(resetBody);

/** @throws ServiceError `INPUT_INVALID` */
export function parseReset(raw: unknown): string {
	return readReset(raw).confirmation;
}
