/** What the settings say about an embedding service, as options of the plugin that asks it. One that is listed with a model has its own. */

import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { givenOptions } from "./given-options.ts";

type Said = Pick<Settings, "embedding" | "use">;

const ollama = "embedder-ollama";
const openai = "embedder-openai";
/** Where it listens unless told otherwise. */
const ollamaUsual = "http://127.0.0.1:11434";

/** Which of the two is meant; null when no model is named. */
export function embeddingPlugin({ embedding, use }: Said): string | null {
	if (embedding.model === null) return null;
	return use.embedder === "ollama" ? ollama : openai;
}

/** Null for the provider's own. */
export function embeddingUrl({ embedding, use }: Said): string | null {
	return embedding.url ?? (use.embedder === "ollama" ? ollamaUsual : null);
}

export function withEmbedding(plugin: Plugin, settings: Said): Plugin {
	if (plugin.name !== embeddingPlugin(settings)) return plugin;
	const { model, key, price } = settings.embedding;
	const url = embeddingUrl(settings);
	const said = {
		model,
		...(url !== null && { baseUrl: url }),
		...(key !== null && plugin.name === openai && { apiKey: key }),
		...(price !== null && { price }),
	};
	return { ...plugin, given: { ...said, ...givenOptions(plugin.given) } };
}
