/** Settings that a plugin declares: environment variables and flags, and the function that turns them into options. */

import type { Config } from "./config.ts";

export interface PluginSetting {
	/** The environment variable. The flag is the same in kebab case, without `CAIRN_`. Plugins that share a setting declare it identically. */
	readonly env: string;
	/** The type of the value. Two numbers are the range of an integer. An `address` is an http or https URL. A `secret` is never displayed. */
	readonly kind: "text" | "address" | "secret" | "list" | "price" | readonly [least: number, most: number];
	/** A description for the documentation and `--help`. */
	readonly meaning: string;
	/** The default value; absent if there is none. */
	readonly fallback?: string;
	/** The plugins to use if this setting is set, unless the operator names others: an address of a database, for example, chooses its storage. */
	readonly use?: NonNullable<Config["use"]>;
}

export type SettingValue = string | number | readonly string[] | null;

/** The settings that `configure` gets in addition to the options of the config file. */
export interface OperatorSettings {
	/** The values of the plugin's settings by environment variable; null for one that is not set. */
	readonly settings: Readonly<Record<string, SettingValue>>;
	/** The absolute path of the folder with the local models. */
	readonly modelsDir: string;
	/** The timeout of a call of a language model. */
	readonly modelTimeoutMs: number;
	/** The chosen implementation of each kind that has only one. The language model is absent if none is named or suggested. */
	readonly use: NonNullable<Config["use"]>;
}

export type GivenOptions = Readonly<Record<string, unknown>>;

export interface ConfiguredOptions {
	/** They replace the options in the config file and are validated like them. */
	readonly options: GivenOptions;
	/** A URL that this plugin, and no other, may reach even on a private network. */
	readonly endpoint?: string | null;
	/** The name of the language model to use if the operator names none. */
	readonly suggests?: string;
}

/** @param input the options in the config file. @returns null if the plugin is not to be loaded. @throws ServiceError `SETTING_INVALID` */
export type Configure = (input: GivenOptions, operatorSettings: OperatorSettings) => ConfiguredOptions | null;
