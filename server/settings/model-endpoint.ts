/** The language model that the environment names, for the plugin that speaks to it. */

import { fail } from "../../core/errors/fail.ts";
import { none } from "../../core/parts.ts";
import type { Settings } from "./settings.ts";

export interface ModelEndpoint {
	/** Of the part: `openai`, `anthropic` or `gemini`. The plugin's name is `language-model-` and this. */
	readonly name: string;
	readonly model: string;
	/** Null where none is needed. */
	readonly apiKey: string | null;
	/** Null for the provider's own. */
	readonly baseUrl: string | null;
}

interface Given {
	readonly model: string | null;
	readonly apiKey: string | null;
	readonly baseUrl?: string;
}

/** Any address but the provider's own may do without a key. */
const openaiHost = "api.openai.com";

/** Nothing leaves the machine because a key happens to be there: only a provider whose model is named counts. In order of preference. */
export function modelEndpoints(given: Readonly<Record<"openai" | "anthropic" | "gemini", Given>>): readonly ModelEndpoint[] {
	return Object.entries(given).flatMap(([name, { model, apiKey, baseUrl = null }]) => (model === null ? [] : [{ name, model, apiKey, baseUrl }]));
}

/** @throws ServiceError `SETTING_INVALID` when the one that is used lacks its key. */
export function modelNamed(name: string, endpoints: readonly ModelEndpoint[]): ModelEndpoint | null {
	const endpoint = endpoints.find((each) => each.name === name) ?? null;
	if (endpoint === null || endpoint.apiKey !== null) return endpoint;
	if (endpoint.baseUrl !== null && new URL(endpoint.baseUrl).hostname !== openaiHost) return endpoint;
	const environment = name.toUpperCase();
	throw fail("SETTING_INVALID", `${environment}_API_KEY`, `${environment}_MODEL is set, and this provider wants a key`);
}

/** What is asked and where, with nothing that opens anything; null for none. */
export function modelWords({ model, use }: Pick<Settings, "model" | "use">): string | null {
	if (model !== null) return `${model.model} of ${model.name}${model.baseUrl === null ? "" : ` at ${model.baseUrl}`}`;
	return use.languageModel === none ? null : use.languageModel;
}
