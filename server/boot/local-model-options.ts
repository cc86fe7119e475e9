/** Where local models are, as an option of the plugins that run them. One that is listed with a folder has its own. */

import type { Plugin } from "../../core/plugin/define-plugin.ts";
import type { Settings } from "../settings/settings.ts";

const runners: ReadonlySet<string> = new Set(["embedder-onnx", "reranker-onnx"]);

export function withLocalModels(plugin: Plugin, { modelsDir }: Pick<Settings, "modelsDir">): Plugin {
	if (!runners.has(plugin.name)) return plugin;
	const given = typeof plugin.given === "object" && plugin.given !== null ? plugin.given : {};
	return { ...plugin, given: { folder: modelsDir, ...given } };
}
