/** What the settings say about OCR, as options of the plugin that does it. */

import { join } from "node:path";
import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { givenOptions } from "./given-options.ts";

/** Models are looked for in a folder beside the other local models, unless the config file names another one. */
export function withOcr(plugin: Plugin, { ocrLanguages, modelsDir }: Pick<Settings, "ocrLanguages" | "modelsDir">): Plugin {
	if (plugin.name !== "extractor-pages") return plugin;
	const given = givenOptions(plugin.given);
	return { ...plugin, given: { data: join(modelsDir, "tesseract"), ...given, ...(ocrLanguages.length > 0 ? { languages: [...ocrLanguages] } : {}) } };
}
