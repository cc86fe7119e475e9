/** What the settings say to plugins, as their options. Each rule knows its plugin and leaves all others as they are. */

import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { withEmbedding } from "./embedding-options.ts";
import { withLocalModels } from "./local-model-options.ts";
import { withModel } from "./model-options.ts";
import { withOcr } from "./ocr-options.ts";
import { withTranscription } from "./transcription-options.ts";

const rules: readonly ((plugin: Plugin, settings: Settings) => Plugin)[] = [withTranscription, withModel, withLocalModels, withEmbedding, withOcr];

export function withSettings(plugin: Plugin, settings: Settings): Plugin {
	return rules.reduce((changed, rule) => rule(changed, settings), plugin);
}
