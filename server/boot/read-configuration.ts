/** Reads the whole configuration: the config file, then the settings, including those of listed plugins. */

import type { Config } from "../../core/plugin/config.ts";
import { declaredBy } from "../settings/plugin-settings.ts";
import { configFile, type Given, readSettings } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { loadConfig } from "./load-config.ts";
import { pluginsOf } from "./start-plugins.ts";

export interface Configuration {
	readonly config: Config;
	/** With the config file that was read. */
	readonly settings: Settings;
}

/** @param file in place of the one that is named. @throws ServiceError as reading the file, its plugins and the settings does */
export async function readConfiguration(given: Given, file = configFile(given)): Promise<Configuration> {
	const { path, config } = await loadConfig(file);
	return { config, settings: { ...readSettings(given, config.use, declaredBy(await pluginsOf(config))), config: path } };
}
