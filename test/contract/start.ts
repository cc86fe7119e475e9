/** Starts a plugin as admission does, for the contract tests. */

import { fail, type Host, type Kind, type Kinds, type Plugin, type Provides } from "cairn-memory";
import { demand } from "./contract-test.ts";
import { quietHost } from "./quiet-host.ts";

/**
 * @param host what the plugin is handed: of its own where it needs a network, a folder or a sandbox, as in
 * `{ ...quietHost(), fetch }`.
 * @throws `PLUGIN_OPTIONS_INVALID` when the options are refused.
 */
export async function start(plugin: Plugin, host: Host = quietHost()): Promise<Provides> {
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw fail("PLUGIN_OPTIONS_INVALID", plugin.name, checked.issues.map(({ message }) => message).join("; "));
	return plugin.start(checked.value, host);
}

/** The first part of a kind that the plugin offers, freshly started. @param host see `start`. */
export async function partOf<K extends Kind>(plugin: Plugin, kind: K, host?: Host): Promise<Kinds[K]> {
	const provides: Provides = await start(plugin, host);
	const [part] = (provides[kind] ?? []) as readonly Kinds[K][];
	demand(part !== undefined, `plugin ${plugin.name} offers no ${kind}`);
	return part;
}

/** Ends what was started. */
export async function stop(provides: Provides): Promise<void> {
	await provides.stop?.();
}
