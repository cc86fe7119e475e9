/** What an operator writes in `cairn.config.ts`. */

import type { Kind } from "./contract.ts";
import type { Plugin } from "./define-plugin.ts";

/** A plugin with its options; or a module's name or path, alone or with options. */
export type PluginEntry = Plugin | string | readonly [name: string, options: unknown];

export interface Config {
	/** They have priority over the built-in plugins, in this order. Plugins that are not listed are not loaded. */
	readonly plugins?: readonly PluginEntry[];
	/** Which implementation to use, by name, for the kinds that have only one at a time. */
	readonly use?: { readonly [K in ChosenKind]?: string };
}

/** The kinds of plugin whose one implementation is chosen by name. The language model and the reranker may be `none`. */
export type ChosenKind = Extract<Kind, "storage" | "blobStore" | "embedder" | "reranker" | "languageModel">;

export function defineConfig(config: Config): Config {
	return config;
}
