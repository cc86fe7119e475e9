/** Imports a plugin listed in the config. Plugins are never discovered by scanning folders. */

import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, ServiceError } from "../../core/errors/fail.ts";
import type { PluginEntry } from "../../core/plugin/config.ts";
import type { Plugin, PluginFactory } from "../../core/plugin/define-plugin.ts";
import { importDefaultExport, importFault } from "./import-module.ts";

/**
 * A built-in plugin can be listed by its name, to give it options or precedence.
 *
 * @throws ServiceError `PLUGIN_UNLOADABLE`, `PLUGIN_MALFORMED`, `PACKAGE_MISSING`
 */
export async function importPlugin(entry: PluginEntry, builtins: readonly PluginFactory[]): Promise<Plugin> {
	if (isPlugin(entry)) return entry;
	// Types say so too, but a config in JavaScript, or one that nobody checks, easily lacks the parentheses.
	if (typeof entry === "function") throw fail("PLUGIN_MALFORMED", "in the config", "it is a function; list what it returns: acme(), not acme");
	const [name, options] = typeof entry === "string" ? [entry, undefined] : entry;
	const factory = builtins.find((builtin) => builtin().name === name) ?? (await importFactory(name));
	return factory(options);
}

export function isInstalled(packageName: string): boolean {
	try {
		import.meta.resolve(packageName);
		return true;
	} catch {
		return false;
	}
}

function isPlugin(entry: PluginEntry): entry is Plugin {
	return typeof entry === "object" && !Array.isArray(entry);
}

async function importFactory(name: string): Promise<PluginFactory> {
	const isPath = name.startsWith(".") || isAbsolute(name);
	const specifier = isPath ? pathToFileURL(resolve(name)).href : name;
	const factory = await importDefaultExport(specifier).catch((thrown: unknown) => {
		if (thrown instanceof ServiceError) throw thrown;
		throw fail("PLUGIN_UNLOADABLE", name, `${importFault(thrown)}; correct it, or take it out of plugins in the config`).because(thrown);
	});
	if (typeof factory !== "function") throw fail("PLUGIN_MALFORMED", name, "its default export should be the return value of definePlugin");
	return factory as PluginFactory;
}
