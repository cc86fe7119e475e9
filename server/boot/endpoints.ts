/**
 * Addresses that the operator has named for a plugin of his: that plugin may reach them wherever they lie, this host on this
 * port and nothing else. Nobody else may: an address in a document that points there is refused as before.
 */

import type { GuardedFetch } from "../../core/plugin/host.ts";
import type { Log } from "../../core/ports/world.ts";
import type { Settings } from "../settings/settings.ts";
import { embeddingPlugin, embeddingUrl } from "./embedding-options.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { modelPlugin } from "./model-options.ts";
import { listener } from "./transcription-options.ts";

/** By the plugin's name. */
function endpointOf(plugin: string, settings: Settings): string | null {
	const { model, transcription } = settings;
	if (plugin === listener) return transcription.url;
	if (plugin === embeddingPlugin(settings)) return embeddingUrl(settings);
	return model !== null && plugin === modelPlugin(model.name) ? model.baseUrl : null;
}

/** Null for a plugin without an endpoint of its own: it gets the one way out that all have. */
export function endpointFetch(plugin: string, settings: Settings, log: Log): GuardedFetch | null {
	const endpoint = endpointOf(plugin, settings);
	return endpoint === null ? null : createGuardedFetch({ allow: [...settings.fetchAllow, new URL(endpoint).host], log });
}
