/** Reads the whole configuration: the config file, then the settings, including those of listed plugins. */

import type { Config } from "../../core/plugin/config.ts";
import { declaredBy } from "../settings/plugin-settings.ts";
import { configFile, readSettings, type SettingSources } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { loadConfig } from "./load-config.ts";
import { pluginsOf } from "./start-plugins.ts";

export interface Configuration {
	readonly config: Config;
	/** Includes the path of the config file. */
	readonly settings: Settings;
}

/** @param file the config file, by default the one in the settings. @throws ServiceError as reading the file, its plugins and the settings does */
export async function readConfiguration(sources: SettingSources, file = configFile(sources)): Promise<Configuration> {
	const { path, config } = await loadConfig(file);
	return { config, settings: { ...readSettings(sources, config.use, declaredBy(await pluginsOf(config))), config: path } };
}
