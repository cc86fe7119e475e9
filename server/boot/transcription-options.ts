/** What the settings say about transcription, as options of the plugin that does it. They outrank the config file, as everywhere. */

import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { givenOptions } from "./given-options.ts";

/** The plugin that may reach the service. */
export const listener = "extractor-media";

export function withTranscription(plugin: Plugin, { transcription }: Pick<Settings, "transcription">): Plugin {
	if (plugin.name !== listener || transcription.url === null) return plugin;
	const set = Object.fromEntries(Object.entries(transcription).filter(([, value]) => value !== null));
	const given = givenOptions(plugin.given);
	return { ...plugin, given: { ...given, transcription: { ...givenOptions(given["transcription"]), ...set } } };
}
