/** The server knows no plugin by name: they are listed in one place, and what else there is to know of one it declares itself. */

import { expect, test } from "bun:test";
import type { PluginFactory } from "cairn-memory";
import { builtinPlugins, defaultParts } from "../../server/boot/builtin-plugins.ts";
import { sourceFiles } from "./source.ts";

const theList = "server/boot/builtin-plugins.ts";
const plugins = (builtinPlugins as readonly PluginFactory[]).map((factory) => factory());
const names = plugins.map(({ name }) => name);
/** What gives one away: the names of plugins, of the parts that are usual, and of the settings that plugins declare. */
const known = [...names, ...Object.values(defaultParts), ...plugins.flatMap(({ settings = [] }) => settings.map(({ env }) => env))];

function named(text: string): readonly string[] {
	return known.filter((name) => ['"', "'", "`"].some((mark) => text.includes(`${mark}${name}${mark}`)));
}

test("no file of the server but the list names a plugin, a usual part, or a setting of a plugin", async () => {
	const files = (await sourceFiles()).filter(({ path }) => path.startsWith("server/") && path !== theList);
	expect(files.length).toBeGreaterThan(100);
	expect(files.flatMap(({ path, text }) => named(text).map((name) => `${path} names ${name}`))).toEqual([]);
});

test("a planted name is seen", () => {
	expect(names).toContain("extractor-media");
	expect(named('if (plugin.name === "extractor-media") return;')).toEqual(["extractor-media"]);
	expect(named("const env = process.env['OPENAI_MODEL'];")).toEqual(["OPENAI_MODEL"]);
	expect(named(`const use = { storage: \`${defaultParts.storage}\` };`)).toContain(defaultParts.storage);
});
