/** What the settings say about the language model, as options of the plugin that speaks to it. One that is listed with options has its own. */

import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { givenOptions } from "./given-options.ts";

/** Of a built-in plugin, by the name of its part. */
export function modelPlugin(name: string): string {
	return `language-model-${name}`;
}

const builtinModels: ReadonlySet<string> = new Set(["openai", "anthropic", "gemini"].map(modelPlugin));

export function withModel(plugin: Plugin, { model, modelTerms: { timeoutMs } }: Pick<Settings, "model" | "modelTerms">): Plugin {
	if (model === null || plugin.name !== modelPlugin(model.name) || hasOptions(plugin)) return plugin;
	const { baseUrl, apiKey } = model;
	return { ...plugin, given: { model: model.model, timeoutMs, ...(baseUrl !== null && { baseUrl }), ...(apiKey !== null && { apiKey }) } };
}

/** It cannot start without the name of a model. */
export function lacksModel(plugin: Plugin): boolean {
	return builtinModels.has(plugin.name) && !hasOptions(plugin);
}

function hasOptions({ given }: Plugin): boolean {
	return Object.keys(givenOptions(given)).length > 0;
}
