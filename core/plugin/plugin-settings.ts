/** Settings that a plugin declares: environment variables and flags, and the options that follow from them. */

import type { Config } from "./config.ts";

export interface PluginSetting {
	/** Its name in the environment. The flag is the same in kebab case, without `CAIRN_`. Plugins that share a setting declare it alike. */
	readonly env: string;
	/** How its text is read; two numbers are the least and the most of a whole number. A secret is never repeated. */
	readonly kind: "text" | "address" | "secret" | "list" | "price" | readonly [least: number, most: number];
	/** What it does, for the documentation and `--help`. */
	readonly meaning: string;
	/** The default; absent for none. */
	readonly fallback?: string;
}

export type SettingValue = string | number | readonly string[] | null;

/** What the operator has set besides the config file. */
export interface Said {
	/** The plugin's settings by environment name; null where not set. */
	readonly settings: Readonly<Record<string, SettingValue>>;
	/** Where local models are, absolute. */
	readonly modelsDir: string;
	/** How long an answer of a language model is waited for. */
	readonly modelTimeoutMs: number;
	/** Which part is used of the kinds of which there is one; a language model is absent until one is named or suggested. */
	readonly use: NonNullable<Config["use"]>;
}

export type GivenOptions = Readonly<Record<string, unknown>>;

export interface Configured {
	/** They replace the options in the config file, and are validated. */
	readonly options: GivenOptions;
	/** An address that this plugin, and no other, may reach even on a private network. */
	readonly endpoint?: string | null;
	/** The language model that is used when the operator names none. */
	readonly suggests?: string;
}

/** @param given what the config file gives. @returns null to be left out. @throws ServiceError `SETTING_INVALID` */
export type Configure = (given: GivenOptions, said: Said) => Configured | null;
