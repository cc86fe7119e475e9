/** What an operator writes in `cairn.config.ts`. */

import type { Kind } from "./contract.ts";
import type { Plugin } from "./define-plugin.ts";

/** A plugin with its options; or a module's name or path, alone or with options. */
export type PluginEntry = Plugin | string | readonly [name: string, options: unknown];

export interface Config {
	/** Preferred, in this order, to the built-in ones. Nothing runs that is not listed. */
	readonly plugins?: readonly PluginEntry[];
	/** Which part to use of the kinds of which there is one. */
	readonly use?: { readonly [K in Chosen]?: string };
}

/** The kinds of which one part is chosen by name. A language model may be `none`. */
export type Chosen = Extract<Kind, "storage" | "blobStore" | "embedder" | "reranker" | "languageModel">;

export function defineConfig(config: Config): Config {
	return config;
}
