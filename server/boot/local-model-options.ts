/** Where local models are, as an option of the plugins that run them. One that is listed with a folder has its own. */

import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { givenOptions } from "./given-options.ts";
import { listener } from "./transcription-options.ts";

const runners: ReadonlySet<string> = new Set(["embedder-onnx", "reranker-onnx"]);

export function withLocalModels(plugin: Plugin, { modelsDir: folder }: Pick<Settings, "modelsDir">): Plugin {
	const given = givenOptions(plugin.given);
	if (runners.has(plugin.name)) return { ...plugin, given: { folder, ...given } };
	return plugin.name === listener ? { ...plugin, given: { ...given, listening: { folder, ...givenOptions(given["listening"]) } } } : plugin;
}
